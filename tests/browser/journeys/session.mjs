// Signing in and out, and what a key that administers nothing sees.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { base, hydrated, keys, toolsFor } from '../server.mjs';

const KEY_MEANING = 'No key was given, or it is not known, has expired or was revoked.';

async function wrongKey(visit) {
    const { page } = visit;
    await visit.go('/intake?catalog=crm&code=');
    assert.equal(visit.at(), '/sign-in?next=/intake%3Fcatalog%3Dcrm%26code%3D', 'a page asks to sign in first');
    const key = page.getByLabel('Key', { exact: true });
    for (const wrong of ['nonsense', `${keys.admin.slice(0, -4)}0000`]) {
        if (hydrated) visit.refusal(401, '/api/ui/sign_in');
        await key.fill(wrong);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await visit.shows('[role=alert]');
        assert.equal(await visit.text('[role=alert]'), `${KEY_MEANING} E_KEY`);
        assert.match(visit.at(), /^\/sign-in/);
        assert.ok(!(await page.content()).includes(wrong), 'the wrong key is not written into the page');
        assert.ok(!visit.at().includes(wrong), 'nor into its URL');
    }
    const session = (await visit.context.cookies()).find((cookie) => cookie.name === 'ambit_session');
    assert.equal(session, undefined, 'a wrong key opens no session');
    await key.fill(keys.admin);
    await visit.follow(page.getByRole('button', { name: 'Sign in' }), '/intake?catalog=crm&code=');
    await eventually(async () => assert.equal(await visit.text('h1'), 'Intake'));
    const cookie = (await visit.context.cookies()).find((one) => one.name === 'ambit_session');
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Lax', '/']);
}

async function foreignNext(visit) {
    const { page } = visit;
    for (const next of ['https://evil.example/', '//evil.example', 'javascript:alert(1)']) {
        await visit.context.clearCookies();
        await visit.go(`/sign-in?next=${encodeURIComponent(next)}`);
        await page.getByLabel('Key', { exact: true }).fill(keys.admin);
        await visit.follow(page.getByRole('button', { name: 'Sign in' }), '/');
    }
}

async function signOut(visit) {
    const { page } = visit;
    await visit.signIn('/');
    await eventually(async () => assert.match(await visit.text(), /Snapshot \d+ is live/));
    await visit.follow(page.getByRole('link', { name: 'Snapshots', exact: true }), '/snapshots');
    const before = await visit.context.cookies();
    await page.locator('header.top details.menu > summary').click();
    await visit.follow(page.getByRole('button', { name: 'Sign out' }), '/sign-in');
    await eventually(async () => assert.equal(await page.locator('nav#nav').count(), 0, 'the menu is gone'));
    assert.equal(await page.locator('.live').count(), 0, 'the live chip is gone');

    // A hydrated page asks again when one goes back, and is refused.
    if (hydrated) for (const path of ['/api/ui/snapshots', '/api/ui/overview']) visit.refusal(401, path);
    for (let step = 0; step < 2; step += 1) {
        await page.goBack();
        await visit.settle();
        await eventually(async () => {
            assert.match(await visit.text(), /sign in/i, `going back ${step + 1} times asks to sign in`);
            assert.doesNotMatch(await visit.text('body'), /[Ss]napshot \d|is live|activation/, 'going back shows no data');
        });
    }

    await visit.context.addCookies(before);
    await visit.go('/snapshots');
    assert.equal(visit.at(), '/sign-in?next=/snapshots', 'the old cookie opens nothing: the session ended on the server');
}

async function plainKey(visit) {
    const { page } = visit;
    await visit.signInPlain();
    const question = 'Show the orders for Northwind Supplies';
    await page.getByRole('textbox', { name: 'Question' }).fill(question);
    await visit.follow(page.getByRole('button', { name: 'Route', exact: true }), (url) => url.searchParams.get('q') === question);
    const expected = await toolsFor(question, 'advisory', { key: keys.plain });
    await eventually(async () => assert.deepEqual(await page.locator('#handed summary .id').allTextContents(), expected));
    for (const path of ['/intake', '/snapshots', '/snapshots/diff', '/snapshots/1/rollback', '/keys', '/keys/0a/revoke', '/audit']) {
        visit.refusal(403, path);
        const response = await visit.go(path);
        assert.equal(response.status(), 403, path);
        assert.match(await visit.text('main .note'), /do not allow you this page\. The Route page is open to you\. E_FORBIDDEN/, path);
        assert.equal(await page.locator('main [role=alert], main .panel').count(), 0, `${path} is calm and shows nothing`);
        assert.doesNotMatch(await page.content(), /sha256:/, `${path} holds no digest`);
    }
}

async function neverStored(visit) {
    await visit.signIn('/');
    for (const path of ['/', '/intake', '/snapshots', '/snapshots/diff', '/route', '/keys', '/audit', '/sign-in']) {
        const headers = (await visit.go(path)).headers();
        assert.equal(headers['cache-control'], 'no-store', path);
        assert.match(headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/, path);
        assert.doesNotMatch(headers['content-security-policy'], /unsafe-inline|'unsafe-eval'|\*/, path);
    }
    const foreign = await visit.context.request.post(`${base}/theme`, {
        headers: { origin: 'https://evil.example' },
        form: { theme: 'dark', next: '/' },
    });
    assert.equal(foreign.status(), 403, 'a form of another site is refused');
}

export const journeys = [
    ['a wrong key stays out and the right one gets in', wrongKey],
    ['signing in never leads to another site', foreignNext],
    ['signing out ends the session', signOut],
    ['a plain key may route and no more', plainKey],
    ['no page is stored by the browser', neverStored],
];
