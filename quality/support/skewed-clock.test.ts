import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const says = `
  const wrongBy = (ms) => Math.round((ms - realNow()) / 1_000)
  const realNow = () => performance.timeOrigin + performance.now()
  const look = () => ({
    now: wrongBy(Date.now()),
    made: wrongBy(new Date().getTime()),
    told: wrongBy(Date.parse(Date())),
    instant: wrongBy(Temporal.Now.instant().epochMilliseconds),
    zoned: wrongBy(Temporal.Now.zonedDateTimeISO('Pacific/Auckland').epochMilliseconds),
    given: new Date(5).getTime(),
    isDate: new Date() instanceof Date && new Date().constructor === Date,
  })
  process.on('message', () => process.send(look()))
  process.on('disconnect', () => process.exit())
  process.send(look())
  setInterval(() => {}, 60_000)`

test('Date and Temporal return the skewed time in a process, and the skew can be changed while the process runs', async () => {
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'skewed-clock.ts'), '--eval', says], {
    env: { CLOCK_SKEW_SECONDS: '90' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'close')
  })
  const looks: unknown[] = []
  child.on('message', (look) => looks.push(look))
  const wrongBy = (seconds: number) => {
    const about = expect.toSatisfy((found: number) => Math.abs(found - seconds) <= 1)
    return { now: about, made: about, told: about, instant: about, zoned: about, given: 5, isDate: true }
  }
  await once(child, 'message')
  expect(looks).toEqual([wrongBy(90)])
  child.send({ clockSkewSeconds: -7200 })
  await expect.poll(() => looks, { timeout: 15_000 }).toEqual([wrongBy(90), 'skewed', wrongBy(-7200)])
})
