// Tools: a search, a card, who may use it and why. Intake by tool, another description tried. Clashes and a pair of tools.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { ask } from '../server.mjs';

const TOOL = 'billing/list_overdue_invoices';
const query = (given) => new URLSearchParams(given).toString();

async function searchAndCard(visit) {
    const { page } = visit;
    await visit.signIn('/tools');
    const all = await ask('/v1/cards');
    const shown = () => page.locator('#tools tbody .lead .id').allTextContents();
    await eventually(async () => assert.deepEqual(await shown(), all.tools.map((card) => card.id)));

    const form = page.getByRole('search', { name: 'Tools' });
    await form.getByLabel('Words, or a piece of an id').fill('overdue invoices');
    await visit.follow(form.getByRole('button', { name: 'Search' }), (url) => url.searchParams.get('q') === 'overdue invoices');
    const found = await ask(`/v1/cards?${query({ q: 'overdue invoices' })}`);
    assert.ok(found.found > 0 && found.found < all.found, 'the search narrows');
    await eventually(async () => assert.deepEqual(await shown(), found.tools.map((card) => card.id)));

    const link = page.locator('#tools tbody').getByRole('link', { name: TOOL });
    await visit.follow(link, (url) => url.pathname === '/tools/card' && url.searchParams.get('tool') === TOOL);
    const card = await ask(`/v1/cards/show?${query({ tool: TOOL })}`);
    await eventually(async () => assert.equal(await page.locator('#facts tbody tr').count(), card.facts.length));
    assert.match(await visit.text('#fact-effect'), /read/);
    assert.equal(await page.locator('#who tbody tr').count(), card.may.length, 'who may name it');
    assert.ok(card.history.length > 0);
    assert.equal(await page.locator('#history li').count(), card.history.length);
    const why = page.locator('#who tbody tr .lead a').first();
    await visit.follow(why, (url) => url.pathname === '/authority' && url.searchParams.get('tool') === TOOL);
    await visit.shows('#why');
}

async function intakeByTool(visit) {
    const { page } = visit;
    await visit.signIn('/intake?acknowledged=true&by=tool');
    const { intake } = await ask('/v1/intake');
    const named = [...new Set(intake.findings.map((finding) => finding.tool))];
    await eventually(async () => assert.equal(await page.locator('#by-tool tbody tr').count(), named.length));
    const compiled = (await ask('/v1/snapshots')).snapshots.length;
    assert.equal(await page.locator('#trend .stat').count(), compiled > 1 ? 4 : 0, 'a trend takes two snapshots');
    const refused = intake.refused[0].id;
    await visit.follow(page.locator('#by-tool').getByRole('link', { name: refused }), (url) => url.searchParams.get('tool') === refused);
    const own = intake.findings.filter((finding) => finding.tool === refused);
    await eventually(async () => assert.equal(await page.locator('#findings li').count(), own.length));
    assert.match(await visit.text('#definition'), /inputSchema/);

    const form = page.getByRole('form', { name: 'Another description' });
    const description = 'Copies customers between the two systems and returns how many were copied';
    await form.getByLabel('Description').fill(description);
    await visit.follow(form.getByRole('button', { name: 'Try it' }), (url) => url.searchParams.get('description') === description);
    await eventually(async () => assert.match(await visit.text('#outcome'), /Before.*refused.*After/));
}

async function clashesAndPair(visit) {
    const { page } = visit;
    await visit.signIn('/clashes');
    const { intake } = await ask('/v1/intake');
    assert.ok(intake.clashes.length > 0, 'two tools of this workspace clash');
    const damage = (clash) => clash.questions.length + (clash.taken ?? []).length;
    const worst = Math.max(...intake.clashes.map(damage));
    await eventually(async () => assert.equal(await page.locator('#clashes tbody tr').count(), intake.clashes.length));
    const numbers = (await page.locator('#clashes tbody tr').first().locator('.num').allTextContents()).slice(0, 2).map(Number);
    assert.equal(numbers[0] + numbers[1], worst, 'the worst comes first');
    // A straight line has no height, so it is never `visible` to the browser's driver.
    await eventually(async () => assert.ok((await page.locator('#graph svg .e.bad').count()) > 0, 'the graph draws the clash'));
    await eventually(async () => assert.equal(await page.locator('#undeclared li.line').count(), (intake.likenesses ?? []).length));
    await visit.follow(page.locator('#clashes tbody tr .lead a').first(), (url) => url.pathname === '/clashes/pair');
    await visit.shows('#questions');
    const asked = new URL(page.url()).searchParams;
    const { repair } = await ask(`/v1/clashes/show?${query({ tool: asked.get('tool'), rival: asked.get('rival') })}`);
    assert.ok(repair.proposed ?? repair.note, 'a repair is proposed, or why there is none');
    if (repair.proposed) {
        const yaml = await page.locator('#repair pre.code').first().textContent();
        assert.equal(yaml.trim(), repair.proposed.yaml.trim(), 'the YAML to copy');
        assert.equal(await page.locator('#rerun').count(), repair.proposed.rerun ? 1 : 0, 'before and after');
    }
    assert.equal(await page.locator('#questions tbody tr').count(), worst);
    assert.equal(await page.locator('.tool-card').count(), 2);
}

export const journeys = [
    ['a tool is found, its card says who may use it', searchAndCard],
    ['a refused tool shows why, and another description is tried', intakeByTool],
    ['clashes are listed by damage, and a pair side by side', clashesAndPair],
];
