import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { computeContrast, rgbOf } from '#kit/contract/colours.ts'

type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

/** Operates a page by keyboard alone. If Tab ever reaches a control without showing the focus, the test fails. */
export type KeyboardDriver = {
  to(role: Role, name: Name): Promise<void>
  back(role: Role, name: Name): Promise<void>
  /** Presses a key that may move the focus between controls, such as an arrow key. */
  move(key: string): Promise<void>
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  focused(role: Role, name?: Name): Locator
}

const maxTabs = 60

export function createKeyboardDriver(page: Page): KeyboardDriver {
  const getFocusedControl = (role: Role, name?: Name): Locator =>
    page.getByRole(role, name === undefined ? {} : { name, exact: true }).and(page.locator(':focus'))

  async function walk(key: 'Tab' | 'Shift+Tab', role: Role, name: Name): Promise<void> {
    const passedControls: string[] = []
    while (passedControls.length < maxTabs) {
      await page.keyboard.press(key)
      await expectVisibleFocus(page)
      if ((await getFocusedControl(role, name).count()) > 0) return
      passedControls.push(
        await page
          .locator(':focus')
          .evaluate((element) => (element.getAttribute('aria-label') ?? element.textContent).trim() || element.id),
      )
    }
    throw new Error(`${key} leads to no ${role} ${name}, but to ${passedControls.join(', ')}`)
  }

  return {
    to: (role, name) => walk('Tab', role, name),
    back: (role, name) => walk('Shift+Tab', role, name),
    async move(key) {
      await page.keyboard.press(key)
      await expectVisibleFocus(page)
    },
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    focused: getFocusedControl,
  }
}

export const expectFocus = (keys: KeyboardDriver, role: Role, name?: Name): Promise<void> =>
  keys.focused(role, name).waitFor()

export async function expectAllReachable(page: Page): Promise<void> {
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    Object.assign(window, { reached: new Set(), last: null, rounds: 0 })
  })
  const maxStops = 200
  for (let stops = 0; stops < maxStops; stops++) {
    await page.keyboard.press('Tab')
    const came = await page.evaluate(classifyFocusAfterTab)
    if (came === 'round') break
    if (came === 'control') await expectVisibleFocus(page)
  }
  expect(await page.evaluate(findUnreachedControls), `not reached by Tab on ${page.url()}`).toEqual([])
}

/**
 * Checks that the focused control is in view and not covered (WCAG 2.4.11), and that it has an outline at least 2 pixels wide with a
 * contrast of 3:1 (2.4.7, 1.4.11).
 */
async function expectVisibleFocus(page: Page): Promise<void> {
  const [{ where, faults }, outline] = await Promise.all([
    page.evaluate(describeFocusPosition),
    page.evaluate(readFocusOutline),
  ])
  expect([...faults, ...findOutlineFaults(outline)], `the focus on ${page.url()}: ${where}`).toEqual([])
}

// The following functions run in the page, so they cannot use anything declared outside them.

/**
 * Returns where Tab moved the focus: to a control, to the end of the page, or to a control that it had reached before (`round`). From the
 * end of the page, Tab starts again at the beginning.
 */
function classifyFocusAfterTab(): 'control' | 'end' | 'round' {
  const walk = window as unknown as { reached: Set<Element>; last: Element | null; rounds: number }
  const element = document.activeElement
  // A date field has several parts, so Tab may stay on the same element.
  if (element === walk.last && element !== document.body) return 'control'
  walk.last = element
  if (element && element !== document.body && !element.matches('dialog, main')) {
    if (walk.reached.has(element)) return 'round'
    walk.reached.add(element)
    return 'control'
  }
  walk.rounds += 1
  return walk.rounds > 2 ? 'round' : 'end'
}

/** Returns the controls that Tab did not reach, leaving out those that the arrow keys reach from another control. */
function findUnreachedControls(): string[] {
  const { reached } = window as unknown as { reached: Set<Element> }
  const over = document.querySelector('dialog:modal')
  const controls = (over ?? document).querySelectorAll<HTMLElement>(
    'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary',
  )
  const usesArrowKeys = (element: HTMLElement): boolean =>
    element.closest('[role="listbox"]') !== null ||
    [...reached].some(
      (other) =>
        (element as HTMLInputElement).type === 'radio' &&
        (other as HTMLInputElement).name === (element as HTMLInputElement).name,
    )
  return [...controls]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'))
    .filter((element) => !reached.has(element) && !usesArrowKeys(element))
    .map((element) => (element.getAttribute('aria-label') ?? element.textContent).trim() || element.outerHTML)
}

function describeFocusPosition(): { where: string; faults: string[] } {
  const element = document.activeElement as HTMLElement | null
  if (!element || element === document.body) return { where: '', faults: ['nothing has the focus'] }
  const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent
  const text = (label ?? element.textContent).trim().slice(0, 60)
  return { where: `${element.tagName.toLowerCase()} ${text}`, faults: findVisibilityFaults(element) }

  /**
   * Checks that neither the middle of a control nor any point near its edges is covered. The control's own label and graphics may cover it.
   */
  function findVisibilityFaults(control: HTMLElement): string[] {
    const { left, top, right, bottom, width, height } = control.getBoundingClientRect()
    if (width < 1 || height < 1 || bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth)
      return ['it is out of sight']
    const label = control.closest('label')
    const points = [
      [0.5, 0.5],
      [0.5, 0.15],
      [0.5, 0.85],
      [0.1, 0.5],
      [0.9, 0.5],
    ].map(([x, y]) => [left + width * x!, top + height * y!] as const)
    const pointsInViewport = points.filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)
    const coveredPoints = pointsInViewport.filter(([x, y]) => {
      const hit = document.elementFromPoint(x, y)
      return (
        !hit ||
        !(
          control.contains(hit) ||
          hit.contains(control) ||
          label?.contains(hit) ||
          control.parentElement?.contains(hit)
        )
      )
    })
    if (pointsInViewport.length === 0) return ['it is out of sight']
    return coveredPoints.length > 0 ? ['something covers it'] : []
  }
}

function readFocusOutline(): { colour: string; ground: string } | null {
  const element = document.activeElement as HTMLElement | null
  return element && element !== document.body ? findOutline(element) : null

  function findOutline(control: HTMLElement): { colour: string; ground: string } | null {
    /*
     * The focus outline may be drawn on a different element: on the frame around a field, the card around a radio button, a slider's thumb,
     * or the whole row around a button.
     */
    const outlineElements: [Element, string?][] = [
      [control],
      [control, '::after'],
      [control.closest('label') ?? control],
      [control.parentElement ?? control],
      [control.parentElement?.parentElement ?? control],
    ]
    for (const each of control.parentElement?.querySelectorAll('svg *') ?? []) outlineElements.push([each])
    const outlines = outlineElements
      .map(([bearer, pseudo]) => ({ bearer, style: getComputedStyle(bearer, pseudo) }))
      .filter(({ style }) => style.outlineStyle !== 'none')
    const thick = outlines.find(({ style }) => Number.parseFloat(style.outlineWidth) >= 2)
    return thick ? { colour: thick.style.outlineColor, ground: findBackground(thick.bearer) } : null
  }

  function findBackground(start: Element): string {
    for (let at = start.parentElement; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (backgroundColor.startsWith('rgb(')) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
}

function findOutlineFaults(outline: { colour: string; ground: string } | null): string[] {
  const [colour, ground] = [rgbOf(outline?.colour ?? ''), rgbOf(outline?.ground ?? '')]
  if (!colour || !ground) return ['it has no outline']
  const contrast = computeContrast(colour, ground)
  return contrast < 3 ? [`its outline has a contrast of ${contrast.toFixed(2)}`] : []
}
