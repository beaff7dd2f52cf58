// Opens pages as a person does, and keeps whatever the browser complained about: a journey ends well only where it kept silent.

import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

import { base, hydrated, keys } from './server.mjs';

/** Milliseconds that a page may take on a busy machine. */
const PATIENCE = 10_000;
const REASONS = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict' };

export function launch() {
    // Chromium refuses its sandbox to root, as whom containers run.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return chromium.launch({ executablePath: process.env.AMBIT_CHROMIUM ?? '/usr/bin/chromium', args });
}

/** One person at one browser. */
export class Visit {
    /** What the console, the network and dialogs said. */
    complaints = [];
    #expected = [];

    /** `script: true` keeps JavaScript on where journeys run without. */
    static async start(browser, { width = 1440, height = 900, script = hydrated } = {}) {
        const context = await browser.newContext({
            javaScriptEnabled: script,
            viewport: { width, height },
            colorScheme: 'light',
            reducedMotion: 'reduce',
        });
        context.setDefaultTimeout(PATIENCE);
        const visit = new Visit();
        visit.context = context;
        visit.page = await context.newPage();
        visit.#listen();
        return visit;
    }

    #listen() {
        const { page } = this;
        page.on('console', (message) => {
            // Verbose lines are advice that Chromium shows to nobody by itself.
            if (['debug', 'verbose'].includes(message.type())) return;
            const said = `${message.text()} at ${message.location().url}`;
            const at = this.#expected.indexOf(said);
            if (at >= 0) this.#expected.splice(at, 1);
            else this.complaints.push(`console ${message.type()}: ${said}`);
        });
        page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
        page.on('requestfailed', (request) => {
            const why = request.failure()?.errorText;
            // Going on to another page cuts off what the last one still loads.
            if (why !== 'net::ERR_ABORTED') this.complaints.push(`request failed: ${request.method()} ${request.url()}: ${why}`);
        });
        page.on('dialog', (dialog) => {
            this.complaints.push(`a dialog opened: ${dialog.message()}`);
            dialog.dismiss();
        });
    }

    /** A refused request is a line in the console, once: the one thing that may stand there. */
    refusal(status, path) {
        const said = `Failed to load resource: the server responded with a status of ${status} (${REASONS[status]})`;
        this.#expected.push(`${said} at ${base}${path}`);
    }

    /** Opens a path; the answer's status and headers come back. */
    async go(path) {
        const response = await this.page.goto(base + path);
        await this.settle();
        return response;
    }

    /** Until the page is whole, and alive where it can be. */
    async settle() {
        await this.page.waitForLoadState('load');
        if (hydrated) await this.page.waitForSelector('html[data-hydrated=true]', { state: 'attached' });
    }

    /** Clicks what leads to another URL, given as a path, a pattern or a predicate. */
    async follow(locator, url) {
        await locator.click();
        await this.page.waitForURL(typeof url === 'string' ? base + url : url);
        await this.settle();
    }

    /** Signs in by the form and stands on `next`. */
    async signIn(next = '/', key = keys.admin) {
        await this.go(`/sign-in?next=${encodeURIComponent(next)}`);
        await this.page.getByLabel('Key', { exact: true }).fill(key);
        await this.follow(this.page.getByRole('button', { name: 'Sign in' }), next);
        await this.shows('main');
    }

    /** Signs in with the key that administers nothing: the first page is Route then. */
    async signInPlain() {
        await this.go('/sign-in');
        await this.page.getByLabel('Key', { exact: true }).fill(keys.plain);
        await this.follow(this.page.getByRole('button', { name: 'Sign in' }), '/route');
        await this.shows('main form.ask');
    }

    /** The text of what is visible there, white space folded. */
    async text(selector = 'main') {
        return (await this.page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
    }

    async shows(selector) {
        try {
            await this.page.locator(selector).first().waitFor({ state: 'visible' });
        } catch {
            const shown = (await this.text('body')).slice(0, 300);
            throw new Error(`there is no \`${selector}\` at ${this.at()}; the page says: ${shown || 'nothing'}`);
        }
    }

    /** Path, query and fragment. */
    at() {
        return this.page.url().slice(base.length);
    }

    async end() {
        await this.context.close();
    }
}

/** Repeats a check until it holds: a hydrated page changes when its answer is there. */
export async function eventually(check) {
    const end = Date.now() + PATIENCE;
    for (;;) {
        try {
            return await check();
        } catch (error) {
            if (Date.now() > end) throw error;
            await sleep(50);
        }
    }
}

