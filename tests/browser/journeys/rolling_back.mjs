// Rolling back: never without a reason and a yes, never on top of what somebody else did in the meantime.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { ask, hydrated, live, makeLive } from '../server.mjs';

const activations = async () => (await ask('/v1/snapshots')).activations.length;
const button = (visit, number) => visit.page.getByRole('button', { name: `Roll back to ${number}` });

/** Fills the form; what the browser itself would ask for is taken away, so that the server has to. */
async function fill(visit, { reason = '', yes = false, insist = false }) {
    const form = visit.page.locator('#roll-back form');
    await form.getByLabel('Reason').fill(reason);
    for (const box of await form.getByRole('checkbox').all()) await box.setChecked(yes);
    if (insist) await form.evaluate((element) => element.setAttribute('novalidate', ''));
}

async function refusedThenDone(visit) {
    const { page } = visit;
    const newest = await live();
    const target = newest - 1;
    const path = `/snapshots/${target}/rollback`;
    await visit.signIn('/snapshots');
    const link = page.locator(`#s-${target}`).getByRole('link', { name: `Roll back to ${target}…` });
    await visit.follow(link, path);
    await visit.shows('#roll-back');
    const before = await activations();
    const unchanged = async (what) => assert.deepEqual([await live(), await activations()], [newest, before], what);

    for (const half of [{}, { reason: 'only a reason' }, { yes: true }]) {
        await fill(visit, half);
        await button(visit, target).click();
        assert.equal(visit.at(), path, 'the browser asks for what is missing');
    }
    await unchanged('the form was not sent');

    const cases = [
        [{ reason: 'only a reason' }, 'What cannot be taken back was not confirmed. E_CONFIRM'],
        [{ yes: true }, 'An act has no reason, or one that is not a line of at most 500 characters. E_REASON'],
        [{ yes: true, reason: '   ' }, 'An act has no reason, or one that is not a line of at most 500 characters. E_REASON'],
    ];
    for (const [half, says] of cases) {
        if (hydrated) visit.refusal(400, '/api/ui/rollback');
        await visit.go(path);
        await fill(visit, { ...half, insist: true });
        await button(visit, target).click();
        await visit.shows('main [role=alert]');
        assert.equal(await visit.text('main [role=alert]'), says);
        await unchanged(says);
    }

    for (const number of [target, newest]) {
        await visit.go(`/snapshots/${number}/rollback`);
        const reason = `back to ${number}: <b>bold</b> & "quoted"`;
        await fill(visit, { reason, yes: true });
        await visit.follow(button(visit, number), '/snapshots');
        await eventually(async () => assert.equal(await live(), number, 'the API says so too'));
        const [done] = (await ask('/v1/snapshots')).activations;
        assert.deepEqual([done.kind, done.snapshot, done.reason], ['rollback', number, reason]);
        await eventually(async () => {
            assert.match(await visit.text(`#s-${number} .lead`), /live/, 'the list');
            assert.match(await visit.text('.top .live'), new RegExp(`^(Live snapshot )?${number}\\b`), 'the live chip');
            assert.ok((await visit.text('#activations tbody tr')).includes(reason), 'the reason is shown as text');
        });
    }
}

async function liveAlready(visit) {
    const newest = await live();
    await visit.signIn('/');
    const path = `/snapshots/${newest}/rollback`;
    visit.refusal(409, path);
    await visit.go(path);
    assert.match(await visit.text('main .note'), /The snapshot is live already\. E_ALREADY_LIVE/);
    assert.equal(await visit.page.locator('#roll-back').count(), 0, 'there is no form');
}

/** Another rollback happens between opening the page and sending its form. */
async function outdated(visit) {
    const newest = await live();
    const [target, other] = [newest - 2, newest - 1];
    const path = `/snapshots/${target}/rollback`;
    await visit.signIn(path);
    await visit.shows('#roll-back');
    await makeLive(other);
    const before = await activations();
    if (hydrated) visit.refusal(409, '/api/ui/rollback');
    await fill(visit, { reason: 'too late', yes: true });
    await button(visit, target).click();
    await visit.shows('main [role=alert]');
    const says = 'Another snapshot became live in the meantime, so nothing was changed. E_MOVED';
    assert.equal(await visit.text('main [role=alert]'), says);
    assert.deepEqual([await live(), await activations()], [other, before], 'nothing changed');
}

export const journeys = [
    ['a rollback wants a reason and a yes, and is then done', refusedThenDone],
    ['the live snapshot cannot be rolled back to', liveAlready],
    ['an outdated page rolls nothing back', outdated],
];
