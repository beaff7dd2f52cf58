// Callers: keys are listed, made and revoked; the audit is read; a question is asked for somebody; a menu lists what one may open.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '../browser.mjs';
import { base, finance, hydrated, idOf, keys, send, toolsFor } from '../server.mjs';

const BOT = 'acme:agent:finance-bot';
const ANALYST = 'acme:user:analyst';
/** A user for whom the bot may not act. */
const VIEWER = 'acme:user:viewer';
const QUESTION = 'Which invoices are overdue?';

const row = (key) => `#key-${idOf(key)}`;
/** What the page of keys asks of the server. */
const post = (visit, name, form, accept = 'application/json') =>
    visit.context.request.post(`${base}/api/ui/${name}`, { headers: { accept }, form, maxRedirects: 0 });
const newKey = (name) => ({ name, principal: BOT, project: finance, tools: '', expires: '12h' });

async function keysListed(visit) {
    const { page } = visit;
    await visit.signIn('/keys');
    await visit.shows(row(keys.plain));
    const plain = await visit.text(row(keys.plain));
    for (const part of [BOT, finance, 'all that the principal may use', 'never', 'valid']) assert.ok(plain.includes(part), `${part}: ${plain}`);
    const admin = await visit.text(row(keys.admin));
    for (const part of ['acme:user:platform', 'any', 'yours', 'valid']) assert.ok(admin.includes(part), `${part}: ${admin}`);
    for (const key of [keys.admin, keys.plain]) {
        assert.ok(!(await page.content()).includes(key.split('_')[2]), 'no secret is on the page');
    }
    const filter = page.getByRole('navigation', { name: 'Keys by state' });
    await visit.follow(filter.getByRole('link', { name: /^valid/ }), '/keys?state=valid');
    await eventually(async () => {
        assert.match(await visit.text('nav.seg [aria-current]'), /^valid/);
        const states = await page.locator('#keys tbody [data-l=State]').allInnerTexts();
        assert.ok(states.length >= 2 && states.every((state) => state.trim() === 'valid'), states.join());
    });
    await visit.follow(filter.getByRole('link', { name: /^expired/ }), '/keys?state=expired');
    await eventually(async () => assert.match(await visit.text(), /No key is in this state/));
    await visit.follow(page.getByRole('link', { name: 'Show all keys' }), '/keys');
    await visit.shows(row(keys.plain));
}

/** Alive, the page shows the key once. */
async function keyMade(visit) {
    const { page } = visit;
    const urls = [];
    page.on('request', (request) => urls.push(request.url()));
    await visit.signIn('/keys');
    const form = page.locator('#make form');
    await form.waitFor();
    await form.getByLabel('Name').fill('made in a browser');
    await form.getByLabel('Principal').fill('finance-bot');
    await form.getByRole('button', { name: 'Make the key' }).click();
    assert.equal(await page.locator('#made').count(), 0, 'the browser asks for a whole principal');
    await form.getByLabel('Principal').fill(BOT);
    await form.getByLabel('Project').fill(finance);
    await form.getByLabel('Tools').fill('billing/*, crm/*');
    await form.getByLabel('Expires').selectOption('12h');
    await form.getByRole('button', { name: 'Make the key' }).click();
    await visit.shows('#made');
    const key = await visit.text('#made code');
    assert.match(key, /^ambit_[0-9a-f]{12}_[0-9a-f]{64}$/);
    assert.equal((await send('/v1/tools', undefined, key)).status, 200, 'it opens the API');
    await eventually(async () => {
        const listed = await visit.text(row(key));
        for (const part of ['made in a browser', 'billing/*, crm/*', 'valid']) assert.ok(listed.includes(part), `${part}: ${listed}`);
    });

    const secret = key.split('_')[2];
    assert.equal(visit.at(), '/keys');
    assert.ok(urls.every((url) => !url.includes(secret)), 'no URL ever held it');
    await page.reload();
    await visit.settle();
    await visit.shows(row(key));
    assert.ok(!(await page.content()).includes(secret), 'it is not shown again');
    await page.goBack();
    await visit.settle();
    assert.ok(!(await page.content()).includes(secret), 'nor by going back');
}

/** Without a script there is no form, and whoever posts one all the same gets no key. */
async function noKeyForForms(visit) {
    const { page } = visit;
    await visit.signIn('/keys');
    await visit.shows(row(keys.plain));
    if (!hydrated) {
        assert.equal(await page.locator('#make form').count(), 0);
        assert.match(await visit.text('#make'), /ambit keys create --name NAME/);
    }
    const before = await page.locator('#keys tbody tr').count();
    const answer = await post(visit, 'create_key', newKey('made for nobody'), 'text/html');
    assert.equal(answer.status(), 302);
    const told = `${answer.headers().location} ${await answer.text()}`;
    assert.doesNotMatch(told, /ambit_[0-9a-f]/, 'no key is in the answer');
    await visit.go('/keys');
    await visit.shows(row(keys.plain));
    assert.equal(await page.locator('#keys tbody tr').count(), before, 'and none was made');
}

async function keyRevoked(visit) {
    const { page } = visit;
    await visit.signIn('/keys');
    const answer = await post(visit, 'create_key', newKey('to be revoked'));
    assert.equal(answer.status(), 200);
    const { key, id } = await answer.json();
    assert.equal((await send('/v1/tools', undefined, key)).status, 200);
    await visit.go('/keys');
    const path = `/keys/${id}/revoke`;
    await visit.follow(page.locator(row(key)).getByRole('link', { name: /^Revoke/ }), path);
    const form = page.locator('#revoke form');
    const button = form.getByRole('button', { name: 'Revoke to be revoked' });
    await button.click();
    assert.equal(visit.at(), path, 'the browser asks for a yes');

    if (hydrated) visit.refusal(400, '/api/ui/revoke_key');
    await form.evaluate((element) => element.setAttribute('novalidate', ''));
    await button.click();
    await visit.shows('main [role=alert]');
    assert.match(await visit.text('main [role=alert]'), /E_CONFIRM/);
    assert.equal((await send('/v1/tools', undefined, key)).status, 200, 'it still opens the API');

    await visit.go(path);
    await form.getByRole('checkbox').check();
    await visit.follow(button, '/keys');
    await eventually(async () => assert.match(await visit.text(row(key)), /revoked/));
    assert.equal((await send('/v1/tools', undefined, key)).status, 401, 'it opens nothing');
    await visit.go('/keys?state=revoked');
    await visit.shows(row(key));
    await visit.go(path);
    assert.match(await visit.text('main .note'), /This key was revoked .*\. It opens nothing\./);
    assert.equal(await form.count(), 0, 'there is no form');
    for (const unknown of ['/keys/000000000000/revoke', '/keys/x/revoke']) {
        visit.refusal(404, unknown);
        assert.equal((await visit.go(unknown)).status(), 404, unknown);
    }
}

async function auditRead(visit) {
    const { page } = visit;
    assert.equal((await send('/v1/snapshots', undefined, keys.plain)).status, 403);
    await visit.signIn('/audit');
    await visit.shows('#entries tbody tr');
    const sequences = await page.locator('#entries tbody td.num').allInnerTexts();
    const numbers = sequences.map(Number);
    assert.ok(numbers.length > 1 && numbers.every((one, at) => at === 0 || one < numbers[at - 1]), `newest first: ${numbers}`);

    const denied = page.locator('#entries tbody tr', { hasText: 'read_snapshot' }).filter({ hasText: 'denied' }).first();
    const told = (await denied.innerText()).replace(/\s+/g, ' ');
    assert.ok(told.includes(`key:${idOf(keys.plain)}`) && told.includes(BOT), `who was denied: ${told}`);
    const done = page.locator('#entries tbody tr').filter({ hasText: 'done' }).first();
    for (const entry of [denied, done]) {
        assert.equal(await entry.locator('[data-l=Outcome] svg').count(), 1, 'an icon beside the word');
    }

    const head = page.locator('#head .digest');
    assert.match(await head.getAttribute('title'), /^sha256:[0-9a-f]{64}$/);
    const [number] = numbers;
    await visit.follow(page.locator(`#entry-${number} td.num a`), (url) => url.hash === `#entry-${number}`);
    await eventually(async () => assert.equal(await visit.text('#entries tbody td.num'), String(number), 'the page begins with it'));

    await visit.go('/audit');
    await visit.follow(page.getByRole('link', { name: 'Verify' }), '/audit?verify=1');
    await eventually(async () => assert.match(await visit.text('#verified'), /The chain holds: \d+ entries/));
}

async function auditPaged(visit) {
    const { page } = visit;
    // More entries than one page holds.
    for (let made = 0, asked = 0; made < 55 && asked < 400; asked += 1) {
        const { status } = await send('/v1/keys', { name: `paged ${made}`, principal: BOT, project: finance, expires_in: '1h' });
        if (status === 201) made += 1;
        else await sleep(100);
    }
    await visit.signIn('/audit');
    const shown = async () => (await page.locator('#entries tbody td.num').allInnerTexts()).map(Number);
    await eventually(async () => assert.equal((await shown()).length, 50));
    const oldest = (await shown()).at(-1);
    await visit.follow(page.getByRole('link', { name: 'Older' }), `/audit?before=${oldest}`);
    await eventually(async () => assert.ok((await shown())[0] < oldest, 'older ones'));
    await page.reload();
    await visit.settle();
    assert.ok((await shown())[0] < oldest, 'the URL holds the page');
    await visit.follow(page.getByRole('link', { name: 'Newest' }), '/audit');
    await eventually(async () => assert.ok((await shown())[0] > oldest));
    await visit.go('/audit?before=1');
    assert.match(await visit.text(), /There is no entry before 1/);
    assert.equal(await page.getByRole('link', { name: 'Older' }).count(), 0);
}

async function askedForSomebody(visit) {
    const { page } = visit;
    await visit.signInPlain();
    const form = page.getByRole('form', { name: 'Question' });
    const ask = async (user) => {
        await form.getByRole('textbox', { name: 'Question' }).fill(QUESTION);
        await form.getByLabel('For', { exact: true }).fill(user);
        const asked = (url) => url.searchParams.get('q') === QUESTION && url.searchParams.get('for') === user;
        await visit.follow(form.getByRole('button', { name: 'Route', exact: true }), asked);
    };
    await ask(ANALYST);
    await eventually(async () => {
        assert.match(await visit.text('.ask .for'), new RegExp(`^Routes for ${BOT} acting for ${ANALYST} in ${finance}, among`));
    });
    const handed = await page.locator('#handed summary .id').allTextContents();
    assert.deepEqual(handed, await toolsFor(QUESTION, 'advisory', { key: keys.plain, user: ANALYST }));
    await page.locator('main details.menu > summary').click();
    assert.match(await visit.text('main .pop'), new RegExp(`--as ${BOT} --for ${ANALYST} --project ${finance}`));
    // It lies over the form.
    await page.locator('main details.menu > summary').click();

    for (const user of [VIEWER, 'globex:user:paymaster', 'acme:user:nobody-at-all']) {
        await ask(user);
        await eventually(async () => assert.match(await visit.text('main [role=alert]'), /E_FORBIDDEN/, user));
        assert.equal(await form.getByLabel('For', { exact: true }).inputValue(), user, 'the form stays');
        assert.equal(await page.locator('#handed').count(), 0, 'nothing is answered');
    }
    await ask('');
    await eventually(async () => assert.match(await visit.text('.ask .for'), new RegExp(`^Routes for ${BOT} in ${finance}`)));
}

async function askedInAProject(visit) {
    const { page } = visit;
    await visit.signIn('/route');
    const select = page.getByRole('combobox', { name: /^Project/ });
    let offered;
    await eventually(async () => {
        offered = await select.locator('option').allInnerTexts();
        assert.ok(offered.length > 1 && offered.every((one) => one.startsWith('acme/')), `projects: ${offered}`);
    });
    await eventually(async () => {
        assert.ok((await visit.text('.ask .for')).includes(` in ${offered[0]},`), 'the first where none is named');
    });
    const other = offered.at(-1);
    await select.selectOption(other);
    await page.getByRole('textbox', { name: 'Question' }).fill(QUESTION);
    await visit.follow(page.getByRole('button', { name: 'Route', exact: true }), (url) => url.searchParams.get('project') === other);
    await eventually(async () => assert.ok((await visit.text('.ask .for')).includes(` in ${other},`)));
    assert.equal(await select.inputValue(), other);
    const expected = await toolsFor(QUESTION, 'advisory', { project: other });
    assert.deepEqual(await page.locator('#handed summary .id').allTextContents(), expected);
}

async function menuOfAPlainKey(visit) {
    const { page } = visit;
    await visit.signInPlain();
    await eventually(async () => assert.deepEqual(await page.locator('nav#nav a').allInnerTexts(), ['Route']));
    await page.locator('header.top details.menu > summary').click();
    const who = await visit.text('header.top details.menu .pop');
    for (const part of [idOf(keys.plain), BOT, finance, 'nothing, only route']) assert.ok(who.includes(part), `${part}: ${who}`);
    await visit.go('/');
    assert.equal(visit.at(), '/route', 'the first page is the one that it may open');
    await visit.follow(page.locator('a.brand'), '/route');
    await eventually(async () => assert.deepEqual([visit.at(), await visit.text('h1')], ['/route', 'Route'], 'so does the brand'));
}

async function signInElsewhere(visit) {
    const { page } = visit;
    await visit.go('/sign-in?next=/audit&problem=E_PROVIDER');
    assert.match(await visit.text('[role=alert]'), /An identity provider cannot be reached.* E_PROVIDER$/);
    const form = page.locator('#with-a-provider form');
    assert.deepEqual(await form.evaluate((element) => [element.method, new URL(element.action).pathname]), ['get', '/sign-in/with']);
    assert.equal(await form.locator('[name=next]').inputValue(), '/audit');
    await form.getByLabel('Tenant').fill('acme');
    await visit.go('/sign-in?problem=Call+555+at+once');
    assert.equal(await page.locator('[role=alert]').count(), 0, 'only a code is a problem');
    assert.doesNotMatch(await visit.text('body'), /555/);
}

export const journeys = [
    ['keys are listed and filtered by URL', keysListed],
    ...(hydrated ? [['a key that is made is shown once', keyMade]] : []),
    ['a form without a script makes no key', noKeyForForms],
    ['revoking a key wants a yes, and is then done', keyRevoked],
    ['the audit shows what was done and what was denied', auditRead],
    ['the audit is read page by page', auditPaged],
    ['a question is asked for somebody else', askedForSomebody],
    ['a question is asked in a project', askedInAProject],
    ['the menu of a plain key leads to Route alone', menuOfAPlainKey],
    ['signing in elsewhere is offered, and says by code what went wrong', signInElsewhere],
];
