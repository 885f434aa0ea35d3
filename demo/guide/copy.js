import { announce, h, icon } from './dom.js'

const shownMs = 1_600

/** A value with its name, which copies itself when pressed. */
export function copyButton(what, value) {
  const text = h('span', { class: 'value' }, value)
  const button = h(
    'button',
    { type: 'button', class: 'copy', onclick: copy },
    h('span', { class: 'visually-hidden' }, 'Copy '),
    h('span', { class: 'what' }, what),
    ' ',
    text,
    icon('copy'),
  )
  let timer
  return button

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // Browsers give the clipboard to secure pages only: what is selected can still be copied by hand.
      getSelection().selectAllChildren(text)
      announce(`${value} is selected. Copy it with your keyboard.`)
      return
    }
    announce(`Copied ${value}`)
    mark('check')
    clearTimeout(timer)
    timer = setTimeout(() => mark('copy'), shownMs)
  }

  function mark(name) {
    button.classList.toggle('done', name === 'check')
    button.lastElementChild.replaceWith(icon(name))
  }
}

/** Gives every `data-copy` of the page its button: the attribute names the value that stands there. */
export function addCopyButtons() {
  for (const place of document.querySelectorAll('[data-copy]'))
    place.replaceWith(copyButton(place.dataset.copy, place.textContent))
}
