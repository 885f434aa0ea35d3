import { call } from './call.js'
import { announce, h, icon } from './dom.js'

/**
 * A place on the page for a list that is on its way (what the page came with: a skeleton), here, empty or out of reach.
 * What is the same as before stays untouched, and with it the focus and what the visitor has unfolded.
 */
export function panel(element, { render, empty }) {
  const skeleton = [...element.children]
  let shown = null
  let content = null
  return {
    wait() {
      element.setAttribute('aria-busy', 'true')
      if (!content) element.replaceChildren(...skeleton)
    },
    show(items) {
      const told = JSON.stringify(items)
      if (told !== shown) content = items.length > 0 ? render(items) : h('p', { class: 'empty' }, empty)
      if (told !== shown || element.firstElementChild !== content) element.replaceChildren(content)
      shown = told
      element.setAttribute('aria-busy', 'false')
    },
    /** What came before stays: it may be old, but it is better than nothing. */
    fail(sentence, retry) {
      element.setAttribute('aria-busy', 'false')
      element.replaceChildren(
        failure(sentence, () => again(element, retry)),
        ...(content ? [content] : []),
      )
    },
  }
}

/** A sentence about what went wrong, and the way to try again. */
export function failure(sentence, retry) {
  const button = h('button', { type: 'button', class: 'button quiet small', onclick: retry }, 'Try again')
  return h('div', { class: 'note bad' }, icon('warn'), h('p', null, sentence), button)
}

// The button that was pressed goes away: the keyboard's place is kept where it was.
async function again(element, retry) {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
  await retry()
}

/**
 * Loads one answer for several panels, each with the part it shows. The function it gives can be called at any time;
 * where two calls overlap, the later one counts.
 */
export function feed(path, parts) {
  let latest = 0
  return async function load() {
    const turn = ++latest
    for (const [view] of parts) view.wait()
    try {
      const answer = await call(path)
      if (turn !== latest) return null
      for (const [view, pick] of parts) view.show(pick(answer))
      return answer
    } catch (error) {
      if (turn !== latest) return null
      for (const [view] of parts) view.fail(error.message, load)
      announce(error.message)
      return null
    }
  }
}
