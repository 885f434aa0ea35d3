import type { Locator, Page } from 'playwright-core'

type TouchTarget = { what: string; width: number; height: number }

/**
 * Returns every visible control on the page, with the size of its touch target. For a radio button or checkbox, the label is the target.
 * Links in running text are left out, because their height is determined by the line (WCAG 2.5.8).
 */
export const findTouchTargets = (page: Page): Promise<TouchTarget[]> =>
  page.evaluate(() => {
    const isInSentence = (element: Element): boolean => {
      if (getComputedStyle(element).display !== 'inline') return false
      const words = (node: Node | null): string => (node?.textContent ?? '').trim()
      return words(element.parentNode).length > words(element).length
    }
    const found: TouchTarget[] = []
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role="tab"], [role="menuitem"]',
    )) {
      const own = (
        (element as HTMLInputElement).labels?.[0]?.contains(element) ? element.closest('label')! : element
      ).getBoundingClientRect()
      const laid = getComputedStyle(element, '::after')
      // A link's `::after` element may extend the touch target over an entire card.
      const box =
        laid.position === 'absolute' && element.matches('a')
          ? { width: Number.parseFloat(laid.width), height: Number.parseFloat(laid.height) }
          : own
      const isHidden =
        !element.checkVisibility({ visibilityProperty: true }) || element.matches('.visually-hidden:not(:focus)')
      if (isHidden || box.width === 0 || isInSentence(element)) continue
      const name =
        element.getAttribute('aria-label') ??
        (element as HTMLInputElement).labels?.[0]?.textContent ??
        element.textContent
      found.push({ what: `${element.tagName.toLowerCase()} ${name.trim()}`, width: box.width, height: box.height })
    }
    return found
  })

/**
 * Returns the innermost elements that stick out beyond the right edge of the page. The list is empty if the page is no wider than its
 * viewport.
 */
export const findOverflowingElements = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
    )
    return wide
      .filter(
        (element) =>
          getComputedStyle(element.parentElement!).clipPath === 'none' &&
          !wide.some((other) => other !== element && element.contains(other)),
      )
      .map((element) => `${element.tagName.toLowerCase()} ${(element.textContent ?? '').trim().slice(0, 60)}`)
  })

export const findClippedText = (place: Locator): Promise<string[]> =>
  place.evaluate((root) => {
    const isInOtherLayer = (element: Element) =>
      element.closest('dialog, [popover]') !== root.closest('dialog, [popover]')
    /**
     * Creates a function that returns whether an element or any of its ancestors has a style that meets the condition. Each style is read
     * only once, because table cells have ancestors in common.
     */
    const createAncestorStyleCheck = (holds: (style: CSSStyleDeclaration) => boolean) => {
      const known = new Map<Element, boolean>()
      return function ask(element: Element | null): boolean {
        if (!element) return false
        const answer = known.get(element) ?? (holds(getComputedStyle(element)) || ask(element.parentElement))
        known.set(element, answer)
        return answer
      }
    }
    const isClipped = createAncestorStyleCheck(({ clipPath }) => clipPath !== 'none')
    const isVisibleText = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !isInOtherLayer(element) &&
      !isClipped(element)
    const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const start = (text: string) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)

    const clippedText: string[] = []
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      // Skip inputs, because the arrow keys reach text that is too long for its field. Skip SVG elements, because their text has no box.
      if (
        !(element instanceof HTMLElement) ||
        element.matches('input, progress, script, style') ||
        !element.textContent.trim() ||
        !isVisibleText(element)
      )
        continue
      const { overflowX, overflowY } = getComputedStyle(element)
      const isCut =
        (cuts(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (cuts(overflowY) && element.scrollHeight > element.clientHeight + 1)
      if (isCut) clippedText.push(`cut off: ${start(element.textContent)}`)
    }

    type Line = { text: string; parent: Element; at: number; left: number; right: number; top: number; bottom: number }
    const lines: Line[] = []
    const treeWalker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (treeWalker.nextNode()) {
      const parent = treeWalker.currentNode.parentElement
      const text = start(treeWalker.currentNode.textContent ?? '')
      if (!text || !parent || parent.matches('script, style, option') || !isVisibleText(parent)) continue
      const range = document.createRange()
      range.selectNodeContents(treeWalker.currentNode)
      for (const { left, right, top, bottom, width, height } of range.getClientRects())
        if (width > 1 && height > 1) lines.push({ text, parent, at: lines.length, left, right, top, bottom })
    }
    // Two lines of text overlap only if at least half of one line's height is covered by the other: adjacent lines always touch.
    const isOverlapping = (one: Line, other: Line) => {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      return wide > 3 && high > Math.min(one.bottom - one.top, other.bottom - other.top) / 2
    }
    /*
     * Skip text that is underneath fixed or sticky content, because users can scroll it into view. `unobstructedShare` measures how much
     * room is left.
     */
    const stays = createAncestorStyleCheck(({ position }) => position === 'fixed' || position === 'sticky')
    const sortedLines = lines.toSorted((one, other) => one.top - other.top)
    for (const [index, one] of sortedLines.entries()) {
      for (let next = index + 1; next < sortedLines.length && sortedLines[next]!.top < one.bottom; next++) {
        const other = sortedLines[next]!
        if (one.parent === other.parent || !isOverlapping(one, other) || stays(one.parent) !== stays(other.parent))
          continue
        const [first, second] = one.at < other.at ? [one, other] : [other, one]
        clippedText.push(`across each other: ${first.text} | ${second.text}`)
      }
    }
    return clippedText
  })

export const findTextOnGauges = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const gauges = [...document.querySelectorAll('[role="progressbar"] > svg')]
    return gauges.flatMap((drawing) => {
      const { left, top, width, bottom } = drawing.getBoundingClientRect()
      // The geometry of the ring in FanGauge: its centre, and the distance from there to the ring's inner edge.
      const scale = width / 300
      const [x, y, inner] = [left + 150 * scale, top + 150 * scale, 96 * scale]
      const treeWalker = document.createTreeWalker(drawing.parentElement!.parentElement!, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (treeWalker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(treeWalker.currentNode)
        const isOn = [...range.getClientRects()].some(({ left: start, right: end, top: from, height }) => {
          // Letters start about a quarter of the line height below the top of the line's box.
          const textTop = from + height / 4
          return textTop < bottom && [start, end].some((side) => Math.hypot(side - x, textTop - y) > inner)
        })
        if (isOn) found.push(treeWalker.currentNode.textContent ?? '')
      }
      return found
    })
  })

/**
 * Returns the share of the viewport (0 to 1) that fixed content leaves free, measured at the middle and at the end of the page. The smaller
 * value counts.
 */
export const measureUnobstructedShare = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const share = (y: number) => {
      scrollTo({ top: y, behavior: 'instant' })
      const rows = Array.from({ length: Math.floor(innerHeight / 4) }, (_, row) =>
        document.elementFromPoint(innerWidth / 2, row * 4 + 2),
      )
      const stays = (element: Element | null): boolean =>
        element !== null &&
        (['fixed', 'sticky'].includes(getComputedStyle(element).position) || stays(element.parentElement))
      return rows.filter((element) => !stays(element)).length / rows.length
    }
    const end = document.documentElement.scrollHeight - innerHeight
    return Math.min(share(end / 2), share(end))
  })

type Undo = () => Promise<void>

/** Increases the spacing between letters, words, lines and paragraphs, as some readers need (WCAG 1.4.12). */
export const applyTextSpacing = (page: Page): Promise<Undo> =>
  applyStyles(
    page,
    `
    * { letter-spacing: .12em !important; line-height: 1.5 !important; word-spacing: .16em !important; }
    p { margin-bottom: 2em !important; }
  `,
  )

export const enlargeText = (page: Page): Promise<Undo> => applyStyles(page, ':root { font-size: 200% !important; }')

/** Add the styles as a constructed style sheet, because the page's content security policy forbids style elements. */
async function applyStyles(page: Page, css: string): Promise<Undo> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets.push(sheet)
  }, css)
  return () => page.evaluate(() => void document.adoptedStyleSheets.pop())
}
