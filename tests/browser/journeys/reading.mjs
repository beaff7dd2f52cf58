// Reading: Overview, Intake, Snapshots, Diff. What they show is compared with what the API says.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { ask } from '../server.mjs';

async function overview(visit) {
    const { page } = visit;
    await visit.signIn('/');
    const listed = await ask('/v1/snapshots');
    const { intake } = await ask('/v1/intake');
    const record = listed.snapshots.find((one) => one.number === listed.live);
    const open = intake.findings.filter((one) => !one.acknowledged).length;
    await eventually(async () => assert.match(await visit.text(), new RegExp(`Snapshot ${listed.live} is live`)));
    const values = await page.locator('#counts .stat .v').allTextContents();
    const refused = intake.offered - intake.accepted.length;
    assert.deepEqual(values.map(Number), [record.tools, refused, open, intake.clashes.length], 'counts');
    assert.equal(record.tools, intake.accepted.length);
    assert.match(await visit.text('.live'), new RegExp(`${listed.live} ?${record.digest.slice(7, 19)}`), 'live chip');
    assert.equal(await page.title(), 'Overview · Ambit');
    const link = page.locator('#counts').getByRole('link', { name: /Open findings/ });
    await visit.follow(link, (url) => url.pathname === '/intake');
    await eventually(async () => {
        assert.equal(await page.locator('.findings tbody tr').count(), open, 'the number leads to its list');
    });
}

async function intake(visit) {
    const { page } = visit;
    await visit.signIn('/intake');
    const { findings } = (await ask('/v1/intake')).intake;
    const open = findings.filter((one) => !one.acknowledged);
    assert.ok(open.length > 0 && open.length < findings.length, 'the workspace has findings of both kinds');
    const rows = () => page.locator('.findings tbody tr');
    const holds = async (expected, what) => {
        await eventually(async () => {
            const shown = await page.locator('.findings .lead .id').allTextContents();
            assert.deepEqual(shown.sort(), expected.map((one) => one.tool).sort(), what);
        });
    };
    await holds(open, 'acknowledged findings are not shown at first');

    const filter = page.getByRole('form', { name: 'Filter' });
    const asked = (expected) => (url) => Object.entries(expected).every(([key, value]) => (url.searchParams.get(key) ?? '') === value);
    const submit = (expected) => visit.follow(filter.getByRole('button', { name: 'Filter' }), asked(expected));

    await filter.getByLabel('Acknowledged too').check();
    await submit({ acknowledged: 'true' });
    await holds(findings, 'all findings');
    assert.ok((await page.getByText('acknowledged', { exact: true }).count()) > 0, 'acknowledged ones are marked');

    const catalog = findings.find((one) => one.acknowledged).tool.split('/')[0];
    await filter.getByLabel('Catalog').selectOption(catalog);
    await submit({ catalog, acknowledged: 'true' });
    await holds(findings.filter((one) => one.tool.startsWith(`${catalog}/`)), 'one catalog');

    await filter.getByLabel('Catalog').selectOption('');
    const { code } = findings.find((one) => one.acknowledged);
    await filter.getByLabel('Code').selectOption(code);
    await submit({ catalog: '', code, acknowledged: 'true' });
    await holds(findings.filter((one) => one.code === code), 'one code');

    await page.reload();
    await visit.settle();
    await holds(findings.filter((one) => one.code === code), 'the URL holds the filter');
    assert.equal(await filter.getByLabel('Code').inputValue(), code, 'and the form shows it');
    assert.ok(await filter.getByLabel('Acknowledged too').isChecked());

    await filter.getByLabel('Acknowledged too').uncheck();
    await submit({ code, acknowledged: '' });
    assert.equal(await rows().count(), 0);
    assert.match(await visit.text(), /No finding fits this filter/);
    await visit.follow(page.getByRole('link', { name: 'Show all without a filter' }), '/intake');
    await holds(open, 'without a filter');
}

async function snapshots(visit) {
    const { page } = visit;
    await visit.signIn('/snapshots');
    const listed = await ask('/v1/snapshots');
    const numbers = listed.snapshots.map((one) => one.number);
    await eventually(async () => {
        const shown = await page.locator('#snapshots tbody .lead b').allTextContents();
        assert.deepEqual(shown.map(Number), numbers, 'newest first');
    });
    assert.match(await visit.text(`#s-${listed.live}`), /live/);
    assert.equal(await page.locator('#activations tbody tr').count(), listed.activations.length);
    for (const one of listed.snapshots) {
        assert.equal(await page.locator(`#s-${one.number} .digest`).getAttribute('title'), one.digest);
    }

    const [to, from] = numbers;
    await visit.follow(page.getByRole('link', { name: `Diff ${from} to live ${to}` }), `/snapshots/diff?from=${from}&to=${to}`);
    await sameDiff(visit, from, to);
    const oldest = numbers.at(-1);
    await page.getByLabel('From').selectOption(String(oldest));
    await visit.follow(page.getByRole('button', { name: 'Compare' }), `/snapshots/diff?from=${oldest}&to=${to}`);
    await sameDiff(visit, oldest, to);
    await page.getByLabel('To', { exact: true }).selectOption(String(oldest));
    await visit.follow(page.getByRole('button', { name: 'Compare' }), `/snapshots/diff?from=${oldest}&to=${oldest}`);
    await eventually(async () => assert.match(await visit.text(), /Nothing differs/));
}

async function sameDiff(visit, from, to) {
    const { page } = visit;
    const { diff } = await ask(`/v1/snapshots/diff?from=${from}&to=${to}`);
    await eventually(async () => assert.equal(await visit.text('h1'), `What ${to} changes against ${from}`));
    const ids = diff.sections.flatMap((one) => [...one.changed.map((changed) => changed.id), ...one.added, ...one.removed]);
    assert.ok(ids.length > 0, 'the two differ');
    const shown = await page.locator('main .rows:not(.classes) > li .id').allTextContents();
    assert.deepEqual(shown.sort(), ids.sort(), `what differs between ${from} and ${to}`);
    const ceilings = await page.locator('#ceilings tbody .id').allTextContents();
    assert.deepEqual(ceilings.sort(), diff.ceilings.map((one) => one.project).sort(), 'changed ceilings');
}

/** What is gained comes before what it is called: ceilings, who gains and loses, then the kinds in the API's order. */
async function authorityFirst(visit) {
    const { page } = visit;
    await visit.signIn('/');
    const { live: to } = await ask('/v1/snapshots');
    const from = to - 1;
    const { diff } = await ask(`/v1/snapshots/diff?from=${from}&to=${to}`);
    await visit.go(`/snapshots/diff?from=${from}&to=${to}`);
    const [raised] = diff.ceilings;
    assert.ok(raised.raised && diff.authority.classes.length > 0 && diff.sections.length > 1, 'there is something to put in order');
    const kinds = diff.sections.map((one) => one.kind.replaceAll('_', '-'));
    const panels = () => page.locator('main section.panel').evaluateAll((all) => all.map((one) => one.id));
    await eventually(async () => assert.deepEqual(await panels(), ['ceilings', 'authority', ...kinds]));
    assert.match(await visit.text('#ceilings tbody tr'), new RegExp(`${raised.project}.*${raised.from}.*${raised.to}`));
}

/** Of a text that changed, only the words that did are marked, and both texts can be read out of it. */
async function wordsThatChanged(visit) {
    const { page } = visit;
    await visit.signIn('/');
    const { live: to } = await ask('/v1/snapshots');
    for (const [one, other] of [[to - 1, to], [to, to - 1]]) {
        const { diff } = await ask(`/v1/snapshots/diff?from=${one}&to=${other}`);
        await visit.go(`/snapshots/diff?from=${one}&to=${other}`);
        const tools = diff.sections.find((section) => section.kind === 'tools');
        const { pieces, from, to: after } = tools.changed.flatMap((tool) => tool.fields).find((field) => field.field === 'description');
        const said = (kind) => pieces.filter((piece) => piece.kind === kind).map((piece) => piece.text);
        assert.ok(said('same').length > 0 && pieces.length > said('same').length, 'the text changed in part');
        const value = page.locator('#tools dl.fields > dt', { hasText: /^description$/ }).locator('xpath=following-sibling::dd[1]');
        const words = (tag) => value.locator(tag).evaluateAll((all) => all.map((element) => element.lastChild.data));
        await eventually(async () => assert.deepEqual([await words('del'), await words('ins')], [said('removed'), said('added')]));
        const left = (gone) => value.evaluate((element, names) => {
            const copy = element.cloneNode(true);
            copy.querySelectorAll(names).forEach((one) => one.remove());
            return copy.textContent;
        }, `${gone}, .sr`);
        assert.deepEqual([await left('ins'), await left('del')], [from, after], 'both texts are whole');
    }
}

async function unknownSnapshot(visit) {
    await visit.signIn('/');
    for (const path of ['/snapshots/9999/rollback', '/snapshots/diff?from=1&to=9999']) {
        visit.refusal(404, path);
        assert.equal((await visit.go(path)).status(), 404, path);
        assert.match(await visit.text('main [role=alert]'), /There is no snapshot with this number\. E_SNAPSHOT/, path);
    }
}

export const journeys = [
    ['the overview agrees with the API', overview],
    ['the intake report is filtered by URL', intake],
    ['snapshots are listed and compared', snapshots],
    ['a diff begins with ceilings and with who gains', authorityFirst],
    ['a text that changed is marked word by word', wordsThatChanged],
    ['a snapshot that is not there is said to be missing', unknownSnapshot],
];
