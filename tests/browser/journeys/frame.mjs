// What stands around every page: theme, keyboard, the menu as a drawer, and the page for what is not there.

import assert from 'node:assert/strict';

import { eventually } from '../browser.mjs';
import { hydrated } from '../server.mjs';

async function theme(visit) {
    const { page } = visit;
    await visit.signIn('/intake?acknowledged=true');
    const chosen = () => page.locator('html').getAttribute('data-theme');
    const ground = () => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    const choose = async (name) => {
        await page.locator('header.top').getByRole('button', { name: `${name} theme` }).click();
        await eventually(async () => assert.equal(await chosen(), name === 'System' ? null : name.toLowerCase(), name));
        await visit.settle();
        assert.equal(visit.at(), '/intake?acknowledged=true', 'the page stays the same');
    };
    assert.equal(await chosen(), null, 'the system decides at first');
    const light = await ground();
    await choose('Dark');
    const dark = await ground();
    assert.notEqual(dark, light, 'dark is another ground');
    await visit.go('/snapshots');
    assert.deepEqual([await chosen(), await ground()], ['dark', dark], 'other pages keep it');
    await visit.go('/intake?acknowledged=true');
    await page.emulateMedia({ colorScheme: 'dark' });
    await choose('Light');
    assert.equal(await ground(), light, 'against the system');
    await choose('System');
    assert.equal(await ground(), dark, 'the system decides again');
}

async function keyboard(visit) {
    const { page } = visit;
    await visit.signIn('/');
    await visit.go('/intake');
    await page.keyboard.press('Tab');
    const skip = page.locator('a.skip');
    assert.ok(await skip.evaluate((link) => link === document.activeElement), 'the skip link has the first focus');
    const box = await skip.boundingBox();
    assert.ok(box.x >= 0 && box.y >= 0 && box.width > 24 && box.height > 12, 'and is seen');
    await page.keyboard.press('Enter');
    await eventually(async () => {
        const id = await page.evaluate(() => document.activeElement?.id);
        assert.equal(id, 'main', 'it leads to the content');
    });
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.closest('main') !== null), 'the next stop is in the content');

    // Every stop of the whole page can be seen and has a name.
    await visit.go('/snapshots');
    for (let stop = 0; stop < 60; stop += 1) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
            const element = document.activeElement;
            if (!element || element === document.body) return null;
            const style = getComputedStyle(element);
            const named = element.getAttribute('aria-label') ?? element.textContent.trim();
            return { what: element.outerHTML.slice(0, 120), ring: style.outlineStyle !== 'none', named: named !== '' };
        });
        if (!at) break;
        assert.ok(at.named, `has no name: ${at.what}`);
        assert.ok(at.ring, `has no focus ring: ${at.what}`);
    }
}

async function drawer(visit) {
    const { page } = visit;
    await visit.signIn('/');
    const nav = page.locator('nav#nav');
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    assert.ok(!(await nav.isVisible()), 'the drawer is closed at first');
    await menu.focus();
    await page.keyboard.press('Enter');
    await nav.waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    await nav.waitFor({ state: 'hidden' });
    assert.ok(await menu.evaluate((button) => button === document.activeElement), 'the focus returns');
    await menu.click();
    await nav.getByRole('button', { name: 'Close menu' }).click();
    await nav.waitFor({ state: 'hidden' });
    await menu.click();
    await visit.follow(nav.getByRole('link', { name: 'Snapshots' }), '/snapshots');
    await eventually(async () => assert.equal(await visit.text('h1'), 'Snapshots'));
    await nav.waitFor({ state: 'hidden' });
    // Still a drawer after the page changed by itself.
    await menu.click();
    await nav.waitFor({ state: 'visible' });
    assert.equal(await nav.locator('[aria-current=page]').innerText(), 'Snapshots');
    await page.mouse.click(page.viewportSize().width - 4, 300);
    await nav.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1216, height: 800 });
    await nav.waitFor({ state: 'visible' });
    assert.ok(!(await menu.isVisible()), 'from 1200 px up the menu is always there');
}

async function menu(visit) {
    const { page } = visit;
    await visit.signIn('/');
    for (const name of ['Intake', 'Snapshots', 'Authority', 'Keys', 'Audit', 'Route', 'Overview']) {
        const path = name === 'Overview' ? '/' : `/${name.toLowerCase()}`;
        await visit.follow(page.locator('nav#nav').getByRole('link', { name, exact: true }), path);
        await eventually(async () => {
            assert.equal(await visit.text('h1'), name);
            assert.equal(await page.title(), `${name} · Ambit`);
            assert.deepEqual(await page.locator('nav#nav [aria-current=page]').allInnerTexts(), [name]);
            assert.equal(await page.locator('h1').count(), 1, 'one h1');
        });
    }
    await page.goBack();
    await eventually(async () => assert.equal(await visit.text('h1'), 'Route', 'back'));
}

async function notFound(visit) {
    const { page } = visit;
    await visit.signIn('/');
    for (const path of ['/nowhere', '/intake/x', '/snapshots/1']) {
        visit.refusal(404, path);
        const response = await visit.go(path);
        assert.equal(response.status(), 404, path);
        assert.equal(await visit.text('h1'), 'Not found', path);
        assert.equal(await page.title(), 'Not found · Ambit');
    }
    await visit.follow(page.locator('main').getByRole('link', { name: 'Overview' }), '/');
    await eventually(async () => assert.equal(await visit.text('h1'), 'Overview'));
}

/** A browser that never ran a script sees the same page as one that did. */
async function whole(visit) {
    await visit.signIn('/');
    for (const path of ['/', '/intake', '/snapshots', '/route', '/keys', '/audit']) {
        await visit.go(path);
        assert.doesNotMatch(await visit.text(), /Loading/, path);
        const alive = await visit.page.locator('html').getAttribute('data-hydrated');
        assert.equal(alive, hydrated ? 'true' : null, path);
    }
}

export const journeys = [
    ['pages are whole', whole],
    ['the menu leads to every page', menu],
    ['the theme is kept', theme],
    ['a page that is not there has status 404', notFound],
    ['the keyboard reaches everything', keyboard],
    ['the menu is a drawer on a phone', drawer, { width: 390, height: 844 }],
];
