import { call } from './call.js'
import { h } from './dom.js'
import { count, dayOf, timeOf } from './words.js'

// Maximum seconds for moving the clock. Moving it by a year causes a few hundred renewals.
const longestSeconds = 600

/**
 * Shows the demo's running clock, and moves it forward.
 * @param onMoved called after all due work has happened, or may have happened
 */
export function startClock({ onMoved }) {
  const panel = document.querySelector('#clock')
  const form = panel.querySelector('form')
  const input = form.elements.namedItem('advance')
  const outcome = panel.querySelector('[role=status]')
  const { busy, complain, isBusy } = formOf(panel, input)
  let ahead = null

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
    show(new Date(Date.now() + ahead))
  }

  async function move(advance, words) {
    if (isBusy()) return
    const before = ahead === null ? null : Date.now() + ahead
    complain(null)
    busy(true)
    outcome.replaceChildren(`Moving forward by ${words}. Everything that falls due on the way happens first, in order.`)
    try {
      const { now } = await call('/demo/api/clock/', { body: { advance }, seconds: longestSeconds })
      ahead = Date.parse(now) - Date.now()
      tell()
      outcome.replaceChildren(`It is now ${dayOf(new Date(now))}, ${timeOf(new Date(now))}. `, await mailSince(before))
    } catch (error) {
      // A response of 400 concerns the visitor's input. After any other failure the clock may have moved.
      outcome.replaceChildren(
        error.status === 400 ? '' : `${error.message} The clock may have moved: check the time above.`,
      )
      if (error.status === 400) complain(error.message)
    }
    busy(false)
    await onMoved()
  }
}

/** Shows a time in all places of the page, in the format that each place requests. */
function show(now) {
  for (const place of document.querySelectorAll('[data-now]')) {
    const text = place.dataset.now === 'day' ? dayOf(now) : timeOf(now)
    if (place.textContent !== text) place.textContent = text
  }
}

/** Controls the form while the clock moves, and when the input is invalid. */
function formOf(panel, input) {
  const fault = panel.querySelector('#advance-fault')
  const progress = panel.querySelector('progress')
  const buttons = [...panel.querySelectorAll('button')]
  return {
    isBusy: () => !progress.hidden,
    // Buttons are not disabled, so that they keep the focus. They do nothing while the clock moves.
    busy(yes) {
      progress.hidden = !yes
      for (const button of buttons) button.setAttribute('aria-disabled', String(yes))
    },
    complain(sentence) {
      fault.textContent = sentence ?? ''
      input.setAttribute('aria-invalid', String(sentence !== null))
      if (sentence !== null) input.focus()
    },
  }
}

async function mailSince(before) {
  const messages = before === null ? [] : await call('/demo/api/messages/').catch(() => [])
  const arrived = messages.filter((message) => Date.parse(message.sent_at) > before).length
  return arrived > 0 ? h('a', { href: '/demo/mailbox/' }, `${count(arrived, 'message')} arrived.`) : ''
}
