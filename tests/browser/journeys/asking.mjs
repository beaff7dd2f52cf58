// The Route page: it answers as the API does, and what somebody typed stays text.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { finance, hydrated, toolsFor } from '../server.mjs';

const PAGE = `/route?project=${finance}`;

const handed = (visit) => visit.page.locator('#handed > ul > li > details > summary .id').allTextContents();

async function sameAsApi(visit, question, ambiguity) {
    const expected = await toolsFor(question, ambiguity);
    await eventually(async () => {
        assert.equal(await visit.page.getByRole('textbox', { name: 'Question' }).inputValue(), question);
        assert.deepEqual(await handed(visit), expected, `tools for “${question}”`);
    });
    return expected;
}

async function type(visit, question) {
    const { page } = visit;
    await page.getByRole('textbox', { name: 'Question' }).fill(question);
    await visit.follow(page.getByRole('button', { name: 'Route', exact: true }), (url) => url.searchParams.get('q') === question);
}

async function sameTools(visit) {
    const { page } = visit;
    await visit.signIn(PAGE);
    const example = page.locator('.examples a').first();
    await example.waitFor();
    const question = await example.innerText();
    await visit.follow(example, (url) => url.searchParams.get('q') === question);
    assert.ok((await sameAsApi(visit, question)).length > 0);

    const typed = "Pull last quarter's revenue and email the chart to finance.";
    await type(visit, typed);
    assert.equal((await sameAsApi(visit, typed)).length, 3);
    assert.equal(await page.locator('.steps > li').count(), 3, 'steps');
    await page.locator('#handed summary').first().click();
    assert.match(await visit.text('#handed pre'), /"inputSchema"/, 'the definition unfolds');

    await page.getByLabel('Strict: of two near ties take the first').check();
    await visit.follow(page.getByRole('button', { name: 'Route', exact: true }), (url) => url.searchParams.get('strict') === 'true');
    assert.ok(await page.getByLabel('Strict: of two near ties take the first').isChecked());
    await sameAsApi(visit, typed, 'strict');
}

async function nothingFits(visit) {
    await visit.signIn(PAGE);
    await type(visit, 'Book a flight to the moon for my cat');
    await sameAsApi(visit, 'Book a flight to the moon for my cat');
    assert.equal(await visit.text('#gaps h2'), 'Gaps');
    assert.ok((await visit.page.locator('#gaps li[id^=gap-]').count()) > 0, 'the gap is listed');
}

/** Whether it is written by the server or put there by the browser: no element, no script, no dialog. */
async function staysText(visit) {
    const { page } = visit;
    await visit.signIn(PAGE);
    const hostile = [
        '</textarea><script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '"><svg onload=alert(1)> send an email',
        "' ; alert(1) // & &lt;b&gt; find the customer",
        '</title><script>alert(1)</script> list invoices',
        '{{constructor.constructor("alert(1)")()}} show orders',
    ];
    for (const question of hostile) {
        await visit.go(`${PAGE}&q=${encodeURIComponent(question)}`);
        await sameAsApi(visit, question);
        await clean(visit, question);
    }
    await type(visit, hostile[0]);
    await sameAsApi(visit, hostile[0]);
    await clean(visit, 'a typed question');
    // As a part of other pages' URLs.
    const query = encodeURIComponent(hostile[1]);
    const missing = [`/${query}`, `/keys/${query}/revoke`];
    const others = [
        `/intake?catalog=${query}&code=${query}`,
        `/keys?state=${query}`,
        `/audit?before=${query}&verify=${query}`,
        `${PAGE}&for=${query}`,
        `/route?project=${query}`,
        `/sign-in?next=${query}&problem=${query}`,
    ];
    for (const path of [...others, ...missing]) {
        if (missing.includes(path)) visit.refusal(404, path);
        await visit.go(path);
        await clean(visit, path);
    }
    await visit.go(`/sign-in?__path=%2Fapi%2Fui%2Fsign_in&__err=${query}`);
    await clean(visit, 'an error from a made-up URL');

    async function clean(visited, what) {
        assert.equal(await page.locator('img, body script:not([nonce]), svg[onload], [onerror]').count(), 0, `no element of ${what}`);
        assert.deepEqual(visited.complaints, [], what);
    }
}

export const journeys = [
    ['a question gets the tools that the API gives', sameTools],
    ['what nothing fits becomes a gap', nothingFits],
    ['hostile text stays text', staysText],
    // Where pages have no script of their own, somebody else's must not run all the more.
    ...(hydrated ? [] : [['hostile text stays text with JavaScript on', staysText, { script: true }]]),
];
