import { h } from './dom.js'

const unfolded = new Set()

/**
 * Hides the children of a long list after the first `limit`. Returns the button that shows them, or null if nothing is hidden.
 * A list that the reader has unfolded stays unfolded when a list of the same name is rendered again.
 */
export function fold(list, limit, name) {
  const rest = [...list.children].slice(limit)
  if (rest.length === 0 || unfolded.has(name)) return null
  for (const child of rest) child.hidden = true
  const button = h(
    'button',
    { type: 'button', class: 'button plain small more', onclick: unfold },
    `Show all ${list.children.length}`,
    h('span', { class: 'visually-hidden' }, ` ${name}`),
  )
  return button

  function unfold() {
    unfolded.add(name)
    for (const child of rest) child.hidden = false
    button.remove()
    const target = rest[0].querySelector('button, a') ?? rest[0]
    if (target === rest[0]) target.tabIndex = -1
    target.focus()
  }
}
