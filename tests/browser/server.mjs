// The server under test: where it is, the keys, and what its API says, so that pages can be compared with it.

const given = (name) => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set; tests/tests/browser.rs sets it`);
    return value;
};

/** Without a slash at its end. */
export const base = given('AMBIT_URL').replace(/\/$/, '');
export const keys = { admin: given('AMBIT_KEY'), plain: given('AMBIT_KEY_PLAIN') };
/** The pages have the browser bundle and JavaScript is on; else it is off. */
export const hydrated = given('AMBIT_HYDRATED') === '1';

/** The part of a key that is no secret. */
export const idOf = (key) => key.split('_')[1];

/** Asks the API; a body makes it a POST. */
export function send(path, body, key = keys.admin) {
    return fetch(base + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
    });
}

/** The same, and it must be answered. */
export async function ask(path, body, key) {
    const response = await send(path, body, key);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
}

/** The number of the live snapshot. */
export const live = async () => (await ask('/v1/snapshots')).live;

/** Makes a snapshot live, unless it is. */
export async function makeLive(number) {
    if ((await live()) !== number) await ask(`/v1/snapshots/${number}/rollback`, { reason: 'a browser test', accept_gains: true });
}

/** The project that questions are asked in where a journey is not about projects. */
export const finance = 'acme/finance';

/** The ids of the tools that a question gets, in order. */
export async function toolsFor(question, ambiguity = 'advisory', { key, project = finance, user } = {}) {
    const body = { question, ambiguity, project, ...(user && { for: user }) };
    return (await ask('/v1/route', body, key)).tools.map((tool) => tool.id);
}
