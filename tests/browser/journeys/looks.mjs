// Every page at both widths and in both themes: axe finds nothing, nothing runs over the edge. Screenshots where a folder is given.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';

import { Visit } from '../browser.mjs';
import { finance, hydrated, idOf, keys, live } from '../server.mjs';

const WIDTHS = [1440, 390];
const SCHEMES = ['light', 'dark'];
/** A panel that is narrower than this, in pixels, has lost its column. */
const NARROWEST = 200;
const RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
/** The rules that colours matter to: only they can find something else in the second theme. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
const REVENUE = "Pull last quarter's revenue and email the chart to finance.";
const shots = process.env.AMBIT_SHOTS;

/** Name, path, and what is done there before one looks. */
function pages(newest) {
    const old = newest - 2;
    const query = (question) => `/route?project=${finance}&q=${encodeURIComponent(question)}`;
    return [
        { name: 'overview', path: '/' },
        { name: 'overview-menus', path: '/', first: openMenus },
        { name: 'intake', path: '/intake' },
        { name: 'intake-acknowledged', path: '/intake?acknowledged=true' },
        { name: 'intake-nothing', path: '/intake?catalog=studio' },
        { name: 'intake-by-tool', path: '/intake?acknowledged=true&by=tool' },
        { name: 'intake-tool', path: '/intake/tool?tool=crm%2Fcustomers.sync&description=Copies+customers+to+the+ledger', first: unfold },
        { name: 'intake-tool-unknown', path: '/intake/tool?tool=crm%2Fnothing', status: 400 },
        { name: 'clashes', path: '/clashes', first: unfold },
        { name: 'clash', path: '/clashes', first: openClash },
        { name: 'tools', path: '/tools' },
        { name: 'tools-nothing', path: '/tools?q=zebra' },
        { name: 'card', path: '/tools/card?tool=billing%2Flist_overdue_invoices' },
        { name: 'snapshots', path: '/snapshots' },
        { name: 'diff', path: `/snapshots/diff?from=${old}&to=${newest}`, first: unfold },
        { name: 'diff-nothing', path: `/snapshots/diff?from=${newest}&to=${newest}` },
        { name: 'authority', path: '/authority', first: unfold },
        { name: 'authority-view', path: `/authority?as=acme:user:analyst&project=${finance}` },
        { name: 'authority-denied', path: `/authority?as=acme:user:analyst&project=${finance}&tool=billing/refund_payment`, first: unfold },
        { name: 'authority-for', path: `/authority?as=acme:agent:finance-bot&for=acme:user:analyst&project=${finance}&tool=billing/record_payment` },
        { name: 'authority-nothing', path: `/authority?as=acme:user:analyst&project=${finance}&show=nowhere&tool=mail/nothing` },
        { name: 'rollback', path: `/snapshots/${old}/rollback` },
        { name: 'rollback-live', path: `/snapshots/${newest}/rollback`, status: 409 },
        { name: 'rollback-unknown', path: '/snapshots/9999/rollback', status: 404 },
        { name: 'route', path: '/route' },
        { name: 'route-refused', path: `/route?project=${finance}&for=globex:user:nobody` },
        { name: 'route-answer', path: query(REVENUE), first: unfold },
        { name: 'route-gaps', path: query('Book a flight to the moon for my cat') },
        { name: 'route-long', path: query(`${'x'.repeat(300)} find the customer`) },
        { name: 'keys', path: '/keys', first: makeKey },
        { name: 'keys-nothing', path: '/keys?state=expired' },
        { name: 'revoke', path: `/keys/${idOf(keys.plain)}/revoke` },
        { name: 'revoke-own', path: `/keys/${idOf(keys.admin)}/revoke` },
        { name: 'revoke-unknown', path: '/keys/nobody/revoke', status: 404 },
        { name: 'audit', path: '/audit' },
        { name: 'audit-verified', path: '/audit?verify=1' },
        { name: 'audit-nothing', path: '/audit?before=1' },
        { name: 'not-found', path: '/nowhere', status: 404 },
        { name: 'drawer', path: '/', width: 390, first: (page) => page.getByRole('button', { name: 'Menu', exact: true }).click() },
    ];
}

/** Where the page is alive, so that the key is seen too. */
async function makeKey(page) {
    if (!hydrated) return;
    await page.getByLabel('Name, for people').fill('a key that is looked at');
    await page.getByLabel('Principal', { exact: true }).fill('acme:agent:finance-bot');
    await page.getByLabel('Tools, as globs').fill('crm/* mail/*');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.locator('#made').waitFor();
}

async function openClash(page) {
    await page.locator('#clashes tbody tr .lead a').first().click();
    await page.locator('#questions').waitFor();
}

async function openMenus(page) {
    // One may cover the summary of the next, so the last is opened first.
    for (const menu of (await page.locator('details.menu > summary').all()).reverse()) await menu.click();
}

async function unfold(page) {
    // The last first: whatever is open already is no longer in this list.
    const folds = await page.locator('main details:not([open]):not(.menu) > summary').all();
    for (const fold of folds.reverse()) await fold.click();
}

async function signedIn(visit) {
    await visit.signIn('/');
    await lookAt(visit, pages(await live()));
}

async function signedOut(visit) {
    const error = encodeURIComponent(Buffer.from('"E_KEY"').toString('base64'));
    await lookAt(visit, [
        { name: 'sign-in', path: '/sign-in' },
        { name: 'sign-in-elsewhere', path: '/sign-in?problem=E_PROVIDER' },
        { name: 'sign-in-refused', path: `/sign-in?__path=%2Fapi%2Fui%2Fsign_in&__err=${error}` },
    ]);
}

async function plain(visit) {
    // Something denied, for whoever looks at the audit later.
    await visit.signInPlain();
    await lookAt(visit, [
        { name: 'plain-snapshots', path: '/snapshots', status: 403 },
        { name: 'plain-route', path: '/route?for=acme:user:analyst', first: openMenus },
    ]);
}

async function lookAt(visit, all) {
    const { page } = visit;
    const found = [];
    for (const one of all) {
        for (const width of one.width ? [one.width] : WIDTHS) {
            await page.emulateMedia({ colorScheme: 'light' });
            await page.setViewportSize({ width, height: width < 1200 ? 844 : 900 });
            if (one.status) visit.refusal(one.status, one.path);
            const response = await visit.go(one.path);
            assert.equal(response.status(), one.status ?? 200, one.path);
            await one.first?.(page);
            for (const scheme of SCHEMES) {
                await page.emulateMedia({ colorScheme: scheme });
                const where = `${one.name}, ${width} px, ${scheme}`;
                found.push(...(await check(page, width, scheme === SCHEMES[0] ? RULES : COLOURS)).map((what) => `${where}: ${what}`));
                if (shots) await shoot(page, `${one.name}-${width}-${scheme}`);
            }
        }
    }
    assert.ok(found.length === 0, `what looks wrong:\n${found.join('\n')}`);
}

async function check(page, width, runOnly) {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const problems = over > 0 ? [`the page is ${over} px wider than its window of ${width} px`] : [];
    const squeezed = await page.evaluate((least) => {
        const widths = [...document.querySelectorAll('.grid > .panel')].map((panel) => panel.getBoundingClientRect().width);
        return widths.filter((width) => width < least).length;
    }, NARROWEST);
    if (squeezed > 0) problems.push(`panels narrower than ${NARROWEST} px: ${squeezed}`);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate((only) => window.axe.run({ runOnly: only, resultTypes: ['violations'] }), runOnly);
    for (const { id, help, nodes } of violations) {
        for (const node of nodes) {
            const why = node.failureSummary?.split('\n')[1]?.trim() ?? help;
            problems.push(`${id}: ${node.html.slice(0, 160)}\n    ${why}`);
        }
    }
    return problems;
}

async function shoot(page, name) {
    const folder = join(shots, hydrated ? 'hydrated' : 'plain');
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

// axe is a script itself, so these run with JavaScript on even where the pages have none of their own.
const options = { script: true };
export const journeys = [
    ['pages look right to axe when signed out', signedOut, options],
    ['pages look right to axe for a plain key', plain, options],
    ['pages look right to axe', signedIn, options],
];
