import { announce, h, icon } from './dom.js'

const shownMs = 1_600

/** Creates a button that shows a named value and copies the value when pressed. */
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
      // Browsers allow only secure pages to use the clipboard. The selected text can still be copied by hand.
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

/** Replaces each element with a `data-copy` attribute by a copy button. The attribute is the name of the element's value. */
export function addCopyButtons() {
  for (const place of document.querySelectorAll('[data-copy]'))
    place.replaceWith(copyButton(place.dataset.copy, place.textContent))
}
