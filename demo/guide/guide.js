import { startClock } from './clock.js'
import { addCopyButtons } from './copy.js'
import { announce } from './dom.js'
import { fixturePanels } from './fixtures.js'
import { ledgerPanels } from './ledgers.js'
import { failure, feed } from './panel.js'
import { plansPanel } from './plans.js'

const clock = startClock({ onMoved: refresh })
const loadFixtures = feed('/demo/api/fixtures/', [...fixturePanels(), [clockPanel(), (fixtures) => fixtures.now]])
const loadLedgers = feed('/demo/api/ledgers/', ledgerPanels())
const loadPlans = feed('/api/products/', [plansPanel()])

addCopyButtons()
document.querySelector('#refresh-ledgers').addEventListener('click', async () => {
  if (await loadLedgers()) announce('The ledgers are up to date.')
})
// The lists and ledgers are loaded again when the visitor returns, because the visitor may have used something in the wizard.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') refresh()
})
addEventListener('pageshow', (event) => {
  if (event.persisted) refresh()
})
refresh()
loadPlans()

function refresh() {
  return Promise.all([loadFixtures(), loadLedgers()])
}

/** Panel of the clock, which gets its time from the fixtures. */
function clockPanel() {
  const trouble = document.querySelector('#clock-fault')
  return {
    wait() {},
    show(now) {
      clock.set(now)
      trouble.replaceChildren()
    },
    fail: (sentence, retry) => trouble.replaceChildren(failure(sentence, retry)),
  }
}
