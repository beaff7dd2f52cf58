// Authority: why X cannot call Y, what X may do, by which policies; and who gains and loses between two snapshots, row by row.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { ask, finance, live } from '../server.mjs';

const ANALYST = 'acme:user:analyst';
const BOT = 'acme:agent:finance-bot';
const query = (given) => new URLSearchParams(given).toString();
const form = (visit) => visit.page.getByRole('form', { name: 'Question' });

/** Fills the form and sends it; the URL holds what was asked. */
async function question(visit, { who, tool = '', action = 'invoke' }) {
    await form(visit).locator('select[name=as]').selectOption(who);
    await form(visit).locator('select[name=project]').selectOption(finance);
    await form(visit).getByLabel('Why this tool').fill(tool);
    await form(visit).locator('select[name=action]').selectOption(action);
    const asked = (url) => {
        const given = url.searchParams;
        return given.get('as') === who && given.get('tool') === tool && given.get('action') === action;
    };
    await visit.follow(form(visit).getByRole('button', { name: 'Ask' }), asked);
}

/** What the page says is what the API says. */
async function sameWhy(visit, { who, tool, action = 'invoke' }) {
    const why = await ask(`/v1/why?${query({ as: who, project: finance, tool, action })}`);
    const verdict = why.allow ? 'may' : 'may not';
    const confirmed = why.allow && action === 'invoke' && why.needs_confirmation ? ', and a person confirms each call' : '';
    const answer = `${who} ${verdict} ${action} ${tool} in ${finance}${confirmed}`;
    await eventually(async () => assert.equal(await visit.text('#answer'), answer));
    const says = (await visit.page.locator('#changes > li > span').allTextContents()).map((text) => text.trim());
    assert.deepEqual(says, why.changes.map((change) => change.says.replaceAll('`', '')), `what would flip ${tool}`);
    return why;
}

async function whyNot(visit) {
    const { page } = visit;
    await visit.signIn('/authority');
    await visit.shows('form[aria-label=Question]');
    assert.equal(await page.locator('#why').count(), 0, 'nothing is asked yet');

    const asked = { who: BOT, tool: 'billing/record_payment' };
    await question(visit, asked);
    const why = await sameWhy(visit, asked);
    assert.equal(why.allow, false);
    assert.match(await visit.text('#why'), /forbidden by acme-agents-book-no-payments/);
    assert.equal(await form(visit).getByLabel('Why this tool').inputValue(), asked.tool, 'the form shows what was asked');

    const link = page.locator('#why').getByRole('link', { name: 'acme-agents-book-no-payments' }).first();
    await visit.follow(link, (url) => url.hash === '#policy-acme-agents-book-no-payments');
    const policy = '#policy-acme-agents-book-no-payments';
    await eventually(async () => assert.match(await visit.text(policy), /an agent may prepare a payment; a person books it/));
    assert.match(await visit.text(`${policy} pre`), /^forbid \(/, 'its text, without what stands above it');

    const routed = { who: BOT, tool: 'billing/record_payment', action: 'route' };
    await question(visit, routed);
    assert.equal((await sameWhy(visit, routed)).allow, true, 'it may be offered all the same');
    await page.locator('main details.menu > summary').click();
    assert.match(await visit.text('main .pop'), /ambit why billing\/record_payment --as acme:agent:finance-bot/);
    await page.locator('main details.menu > summary').click();

    await question(visit, { who: BOT, tool: 'billing/record_paiment' });
    await eventually(async () => assert.match(await visit.text('main [role=alert]'), /did you mean billing\/record_payment/));
    assert.equal(await page.locator('#why').count(), 0, 'a name that is not known explains nothing');
}

async function whatItMay(visit) {
    const { page } = visit;
    const path = `/authority?${query({ as: ANALYST, project: finance })}`;
    await visit.signIn('/');
    await visit.go(path);
    const { tools } = await ask(`/v1/view?${query({ as: ANALYST, project: finance })}`);
    const shown = () => page.locator('#view tbody .lead .id').allTextContents();
    await eventually(async () => assert.deepEqual(await shown(), tools.map((tool) => tool.id)));
    const filters = page.getByRole('navigation', { name: 'Tools by what may be done' });
    assert.match(await visit.text('nav.seg [aria-current]'), new RegExp(`^all ${tools.length}$`));

    const denied = tools.filter((tool) => !tool.invoke).map((tool) => tool.id);
    await visit.follow(filters.getByRole('link', { name: /^may not be called/ }), (url) => url.searchParams.get('show') === 'denied');
    await eventually(async () => {
        assert.match(await visit.text('nav.seg [aria-current]'), new RegExp(`^may not be called ${denied.length}$`));
        assert.deepEqual(await shown(), denied);
    });
    await visit.follow(filters.getByRole('link', { name: /^all/ }), (url) => !url.searchParams.has('show'));
    await eventually(async () => assert.equal((await shown()).length, tools.length));

    const [first] = tools;
    const row = page.locator('#view tbody tr').first();
    await visit.follow(row.locator('.lead a'), (url) => url.searchParams.get('tool') === first.id && url.hash === '#why');
    await sameWhy(visit, { who: ANALYST, tool: first.id });
}

async function policies(visit) {
    const { page } = visit;
    await visit.signIn('/authority');
    const listed = await ask('/v1/policies');
    const ids = listed.policies.map((policy) => policy.id);
    await eventually(async () => assert.deepEqual(await page.locator('#policies summary .id').allTextContents(), ids));
    const builtIn = listed.policies.filter((policy) => policy.built_in).length;
    assert.equal(await page.locator('#policies').getByText('built in', { exact: true }).count(), builtIn);
    const untested = listed.policies.filter((policy) => policy.note && !policy.note.tested);
    assert.ok(untested.length > 0 && untested.length < ids.length - builtIn, 'there are policies of both kinds');
    assert.equal(await page.locator('#policies').getByText('no test reaches it', { exact: true }).count(), untested.length);
    const idle = listed.policies.filter((policy) => policy.note?.idle?.kind === 'shadowed');
    assert.ok(idle.length > 0, 'there is a policy that decides nothing');
    for (const { id, note } of idle) {
        const mark = `shadowed by ${note.idle.by.join(', ')}, shown by enumeration`;
        const row = page.locator('#policies li', { has: page.locator('summary .id', { hasText: id }) });
        assert.equal(await row.getByText(mark, { exact: true }).count(), 1, `${id}: ${mark}`);
    }
    assert.equal(await page.locator('#tests tbody tr').count(), listed.tests.length, 'tests');
    if (listed.tests.length === 0) assert.match(await visit.text('#tests'), /No test was run when this snapshot was compiled/);
}

async function whoGains(visit) {
    const { page } = visit;
    await visit.signIn('/');
    const newest = await live();
    const path = `/snapshots/diff?from=${newest - 1}&to=${newest}`;
    await visit.go(path);
    const { authority } = (await ask(path.replace('/snapshots', '/v1/snapshots'))).diff;
    await visit.shows('#authority');
    const ofTools = authority.classes.flatMap((one) => [...one.gains, ...one.loses, ...one.effects].map((change) => change.tool));
    const rows = page.locator('#authority .classes tbody .lead');
    await eventually(async () => assert.deepEqual(await rows.locator('.id').allTextContents(), ofTools, 'who gains and loses'));
    assert.match(await visit.text('#authority'), new RegExp(`${authority.compared} askers were compared`));
    // A row of what changed has an address, and so has one of who gains, where somebody does.
    const link = ofTools.length > 0 ? rows.getByRole('link').first() : page.locator('.rows:not(.classes) a.lnk').first();
    const hash = await link.getAttribute('href');
    await visit.follow(link, (url) => url.hash === hash);
    await visit.go(`${path}${hash}`);
    await visit.shows(hash);

    // The other way round, what was gained is lost.
    await visit.go(`/snapshots/diff?from=${newest}&to=${newest - 1}`);
    const back = (await ask(`/v1/snapshots/diff?from=${newest}&to=${newest - 1}`)).diff.authority;
    const gained = (diff) => diff.classes.reduce((sum, one) => sum + one.gains.length, 0);
    const lost = (diff) => diff.classes.reduce((sum, one) => sum + one.loses.length, 0);
    assert.deepEqual([gained(back), lost(back)], [lost(authority), gained(authority)]);
}

export const journeys = [
    ['why an agent cannot call a tool', whyNot],
    ['what somebody may do is listed and filtered by URL', whatItMay],
    ['every policy has its text and its marks', policies],
    ['a diff says who gains and loses, and each row has an address', whoGains],
];
