import { call } from './call.js'
import { announce, h, icon } from './dom.js'

/**
 * A place on the page for a list, which is loading (shown by the skeleton in the page's HTML), loaded, empty or unavailable.
 * An unchanged list is not rendered again, so that it keeps the focus and stays unfolded.
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
    /** Shows an error above the previous content, which stays although it may be out of date. */
    fail(sentence, retry) {
      element.setAttribute('aria-busy', 'false')
      element.replaceChildren(
        failure(sentence, () => again(element, retry)),
        ...(content ? [content] : []),
      )
    },
  }
}

/** Shows an error with a button to try again. */
export function failure(sentence, retry) {
  const button = h('button', { type: 'button', class: 'button quiet small', onclick: retry }, 'Try again')
  return h('div', { class: 'note bad' }, icon('warn'), h('p', null, sentence), button)
}

// The pressed button disappears, so the panel gets the focus to keep the keyboard's position.
async function again(element, retry) {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
  await retry()
}

/**
 * Creates a function that loads a response for several panels, each of which shows a part of it. The function can be called at any
 * time; if two calls overlap, the result of the later call is used.
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
