import { call } from './call.js'
import { h } from './dom.js'
import { count, dayOf, timeOf } from './words.js'

// A year is a few hundred renewals: give it the time it needs.
const longestSeconds = 600

/**
 * The demo's clock: shows its time, running, and moves it on.
 * @param onMoved is called whenever everything that was due has happened, or may have
 */
export function startClock({ onMoved }) {
  const panel = document.querySelector('#clock')
  const form = panel.querySelector('form')
  const input = form.elements.namedItem('advance')
  const fault = panel.querySelector('#advance-fault')
  const outcome = panel.querySelector('[role=status]')
  const progress = panel.querySelector('progress')
  const buttons = [...panel.querySelectorAll('button')]
  let ahead = null
  let isMoving = false

  setInterval(tell, 1_000)
  for (const button of panel.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', () => move(button.dataset.advance, button.textContent.replace('+', '').trim()))
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const advance = input.value.trim().toUpperCase()
    move(advance, advance)
  })
  input.addEventListener('input', () => complain(null))

  return {
    set(now) {
      ahead = Date.parse(now) - Date.now()
      tell()
    },
  }

  function tell() {
    if (ahead === null) return
    const now = new Date(Date.now() + ahead)
    for (const place of document.querySelectorAll('[data-now]')) {
      const text = place.dataset.now === 'day' ? dayOf(now) : timeOf(now)
      if (place.textContent !== text) place.textContent = text
    }
  }

  async function move(advance, words) {
    if (isMoving) return
    const before = ahead === null ? null : Date.now() + ahead
    complain(null)
    busy(true)
    outcome.replaceChildren(`Moving on by ${words}. Whatever falls due on the way happens first, in its order.`)
    try {
      const { now } = await call('/demo/api/clock/', { body: { advance }, seconds: longestSeconds })
      ahead = Date.parse(now) - Date.now()
      tell()
      outcome.replaceChildren(`It is now ${dayOf(new Date(now))}, ${timeOf(new Date(now))}. `, await mailSince(before))
    } catch (error) {
      // A refusal is about what was typed; without a definite answer the clock may have moved all the same.
      outcome.replaceChildren(
        error.status === 400 ? '' : `${error.message} The clock may have moved: see above what it shows.`,
      )
      if (error.status === 400) complain(error.message)
    }
    busy(false)
    await onMoved()
  }

  // The buttons stay where the focus is; they only do nothing meanwhile.
  function busy(yes) {
    isMoving = yes
    progress.hidden = !yes
    for (const button of buttons) button.setAttribute('aria-disabled', String(yes))
  }

  function complain(sentence) {
    fault.textContent = sentence ?? ''
    input.setAttribute('aria-invalid', String(sentence !== null))
    if (sentence !== null) input.focus()
  }
}

async function mailSince(before) {
  const messages = before === null ? [] : await call('/demo/api/messages/').catch(() => [])
  const arrived = messages.filter((message) => Date.parse(message.sent_at) > before).length
  return arrived > 0 ? h('a', { href: '/demo/mailbox/' }, `${count(arrived, 'message')} arrived.`) : ''
}
