// Runs journeys against a running server, one line each, and fails in the end where one failed: `node run.mjs people` for what
// people do, `node run.mjs looks` for how pages look. See server.mjs for what has to be set.
// AMBIT_ONLY=word runs only the journeys whose name holds the word.

import { launch, Visit } from './browser.mjs';
import { hydrated, live, makeLive } from './server.mjs';
import * as asking from './journeys/asking.mjs';
import * as authority from './journeys/authority.mjs';
import * as callers from './journeys/callers.mjs';
import * as frame from './journeys/frame.mjs';
import * as looks from './journeys/looks.mjs';
import * as reading from './journeys/reading.mjs';
import * as rollingBack from './journeys/rolling_back.mjs';
import * as session from './journeys/session.mjs';
import * as tools from './journeys/tools.mjs';

const groups = process.argv[2] === 'looks' ? [looks] : [session, reading, rollingBack, authority, tools, asking, callers, frame];
const journeys = groups.flatMap((group) => group.journeys).filter(([name]) => name.includes(process.env.AMBIT_ONLY ?? ''));
const mode = hydrated ? 'hydrated' : 'without JavaScript';
const browser = await launch();
const newest = await live();
let failed = 0;

for (const [name, journey, options] of journeys) {
    const started = Date.now();
    const visit = await Visit.start(browser, options);
    let problem;
    try {
        await journey(visit, browser);
        await visit.end();
    } catch (error) {
        problem = error.message.replace(/\u001b\[\d+m/g, '');
        await visit.context.close();
    }
    problem ??= visit.complaints.length > 0 ? `the browser complained:\n${visit.complaints.join('\n')}` : undefined;
    // Whatever happened, the next journey begins with the newest snapshot live.
    const gone = await makeLive(newest).catch((error) => error.cause?.message ?? error.message);
    if (gone) problem = `${problem ?? 'it was done'}, and now the server does not answer: ${gone}`;
    const took = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${problem ? 'FAILED' : 'ok    '} ${name} (${mode}, ${took} s)`);
    if (problem) {
        failed += 1;
        const complaints = visit.complaints.length > 0 ? `\ncomplaints so far:\n${visit.complaints.join('\n')}` : '';
        const text = problem.startsWith('the browser complained') ? problem : `${problem}${complaints}`;
        console.log(text.replace(/^/gm, '       '));
    }
    if (gone) break;
}

await browser.close();
console.log(`of ${journeys.length} journeys ${mode}, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
