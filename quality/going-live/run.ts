/**
 * The program behind `npm run test:going-live`. It follows docs/going-live.md to the letter on an empty server. It needs root on Debian,
 * takes about five minutes and leaves nothing behind. With `-- --keep`, the folder is kept so that a failure can be investigated.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { acts, type Trial } from './trial-events.ts'
import { readGuide, type Step, replaceValues } from './read-guide.ts'
import { createTrialInstallation } from './trial-installation.ts'
import { startShell } from './shell.ts'

const steps = readGuide(readFileSync(join(import.meta.dirname, '../../docs/going-live.md'), 'utf8'))
const began = performance.now()
const formatElapsedTime = (): string => {
  const seconds = Math.round((performance.now() - began) / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
/** The run's timeout in milliseconds, three times as long as an idle machine needs. */
const maxRunMs = 20 * 60_000

const place = await createTrialInstallation()
const shell = startShell(place.folder, place.env)
const progress = { commands: 0, acts: 0 }
const trial: Trial = {
  folder: place.folder,
  shell,
  given: place.names,
  figures: [],
  async follow(heading) {
    for (const step of steps) if (step.heading === heading) await take(step)
  },
}

const runTimeout = Promise.withResolvers<never>()
const alarm = setTimeout(() => runTimeout.reject(new Error(`not done after ${maxRunMs / 60_000} minutes`)), maxRunMs)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => runTimeout.reject(new Error(signal)))

try {
  await Promise.race([runSteps(), runTimeout.promise])
  for (const figure of trial.figures) console.log(figure)
  console.log(
    `docs/going-live.md: ${progress.commands} blocks of commands and ${progress.acts} acts of others in ${formatElapsedTime()}: all green.`,
  )
} catch (error) {
  console.error((error as Error).message)
  console.log(
    `docs/going-live.md: failed after ${progress.commands} blocks of commands and ${progress.acts} acts, ${formatElapsedTime()}.`,
  )
  process.exitCode = 1
} finally {
  clearTimeout(alarm)
  shell.close()
  await trial.outside?.close()
  if (process.argv.includes('--keep')) console.log(`Kept for inspection: ${place.folder}`)
  else place.clear()
}
// Exit explicitly, because after a failure the visitors might otherwise keep sending requests.
process.exit()

async function runSteps(): Promise<void> {
  for (const step of steps) await take(step)
  const killedProcessLog = join(place.folder, 'killed.log')
  if (existsSync(killedProcessLog))
    throw new Error(`did not end in time when told to: ${readFileSync(killedProcessLog, 'utf8')}`)
}

async function take(step: Step): Promise<void> {
  const start = performance.now()
  const say = (what: string): void =>
    console.log(`${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s  line ${step.line}  ${what}`)
  try {
    if (step.kind === 'act') {
      const act = acts[step.act]
      if (!act) throw new Error(`nobody knows how it goes that ${step.act}`)
      await act(trial)
      progress.acts++
      return say(step.act)
    }
    if (step.of === 'elsewhere') return say(`${step.heading}: left out, for a machine of one's own`)
    const code = step.of === 'yours' ? replaceValues(step.code, getGuideValue) : step.code
    await shell.run(code, `line-${step.line}`)
    progress.commands++
    say(step.heading)
  } catch (error) {
    throw new Error(`line ${step.line}, ${step.heading}: ${(error as Error).message}`, { cause: error })
  }
}

/** Returns the value for a name in the guide. Where the guide sets `FANTAIL_VERSION` a second time, it means the next version. */
function getGuideValue(name: string): string {
  const value = trial.given.get(name)
  if (value === undefined) throw new Error(`the script has no value for ${name}`)
  if (name === 'FANTAIL_VERSION') trial.given.set(name, 'v2')
  return value
}
