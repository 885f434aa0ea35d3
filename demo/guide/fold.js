import { h } from './dom.js'

const unfolded = new Set()

/**
 * Hides what a long list has beyond its first `limit` children. Answers the button that shows them, or null where there
 * is nothing to show. A list that is drawn again under the same name stays as the reader left it.
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
