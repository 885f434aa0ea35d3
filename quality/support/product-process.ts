import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type ProductProcess = {
  url: string
  /** The process id; null if Fantail is not running. */
  pid(): number | null
  /** Starts Fantail unless it is already running. Resolves once Fantail is ready, or once it has been killed by `killBeforeStatement`. */
  start(): Promise<void>
  /** Sends SIGKILL, which gives the process no chance to clean up. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Sends SIGSTOP, which makes the process stop wherever it is. */
  pause(): void
  wake(): void
  /**
   * Sets the running process's wall clock wrong by this many seconds. The process must have been started with `CLOCK_SKEW_SECONDS`, which
   * may be 0.
   */
  skewClock(seconds: number): Promise<void>
  /**
   * Makes the process die just before it sends a matching statement, even after a restart. Resolves once the process has received the
   * pattern.
   */
  killBeforeStatement(statement: RegExp): Promise<void>
  death(): Promise<void>
  complaints(): string[]
  output(): string
}

const root = join(import.meta.dirname, '../..')

/*
 * This V8 flag halves the startup time. It skips optimising the embedded database's WebAssembly code, which does not pay off in short runs.
 */
const shortLifeFlags = ['--liftoff-only']

/**
 * Returns a Fantail process with this environment that has not been started yet. Its `PORT` must be free. `CLOCK_SKEW_SECONDS` makes its
 * wall clock wrong by that many seconds. With `pages`, the process serves pages as well as the API. `flags` are additional Node flags.
 */
export function createProductProcess(
  env: Record<string, string>,
  { pages = false, flags = [] }: { pages?: boolean; flags?: readonly string[] } = {},
): ProductProcess {
  const program = chooseProgram({ pages })
  const said: string[] = []
  let child: ChildProcess | null = null
  let [order, saying] = ['', (): string => '']
  let { promise: death, resolve: die } = Promise.withResolvers<void>()

  async function tell(life: ChildProcess): Promise<void> {
    life.send(order)
    await Promise.race([once(life, 'message'), once(life, 'exit')])
  }

  async function start(): Promise<void> {
    if (child) return
    const runningProgram = startProgram(program, { env, flags })
    child = runningProgram
    const { isReady, output } = watchOutput(runningProgram)
    saying = output
    const ended = once(runningProgram, 'close').then(([, signal]) => {
      said.push(...listUnexpectedOutput(output()))
      if (child === runningProgram) child = null
      const resolveExitPromise = die
      ;({ promise: death, resolve: die } = Promise.withResolvers<void>())
      order = ''
      resolveExitPromise()
      return signal as NodeJS.Signals | null
    })
    await tell(runningProgram)
    const signal = await Promise.race([isReady.then(() => null), ended.then((by) => by ?? 'no signal')])
    if (signal && signal !== 'SIGKILL') throw new Error(`the product did not start: ${output()}`)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const over = death
    if (child?.kill(signal)) await over
  }

  return {
    url: `http://localhost:${env['PORT']}`,
    pid: () => child?.pid ?? null,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pause: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    skewClock: (seconds) => sendClockSkew(child, seconds),
    async killBeforeStatement(statement) {
      order = statement.source
      if (child) await tell(child)
    },
    death: () => death,
    complaints: () => said,
    output: () => saying(),
  }
}

type Program = { killBeforeStatement: string; main: string; args: string[]; env?: Record<string, string> }

/** Uses the bundle made by `quality/templates/product-bundle.ts` if it exists and no pages are needed, and otherwise the source. */
function chooseProgram({ pages }: { pages: boolean }): Program {
  const bundle = process.env['PRODUCT_BUNDLE']
  if (pages || !bundle)
    return {
      killBeforeStatement: getModulePath('kill-before-statement'),
      main: join(root, 'app/main.ts'),
      args: pages ? [] : ['--api-only'],
    }
  return {
    killBeforeStatement: join(bundle, 'kill-before-statement.js'),
    main: join(bundle, 'main.js'),
    args: ['--api-only'],
    env: { NODE_COMPILE_CACHE: join(bundle, 'compiled') },
  }
}

function startProgram(
  { killBeforeStatement, main, args, env: besides }: Program,
  { env, flags }: { env: Record<string, string>; flags: readonly string[] },
): ChildProcess {
  const preloadedModules = [
    killBeforeStatement,
    ...('CLOCK_SKEW_SECONDS' in env ? [getModulePath('skewed-clock')] : []),
  ]
  const imports = preloadedModules.flatMap((each) => ['--import', each])
  return spawn(process.execPath, [...shortLifeFlags, ...imports, ...flags, main, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], DEMO_CUSTOMERS: 'none', DESK_PORT: 'off', ...besides, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

async function sendClockSkew(life: ChildProcess | null, clockSkewSeconds: number): Promise<void> {
  if (!life?.spawnargs.some((argument) => argument.includes('skewed-clock'))) throw new Error('its clock cannot be set')
  life.send({ clockSkewSeconds })
  await once(life, 'message')
}

function watchOutput({ stdout, stderr }: ChildProcess): { isReady: Promise<void>; output: () => string } {
  const { promise: isReady, resolve: ready } = Promise.withResolvers<void>()
  let output = ''
  const listen = (text: string): void => {
    output += text
    if (output.includes('Fantail is ready')) ready()
  }
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', listen)
  return { isReady, output: () => output }
}

const listUnexpectedOutput = (output: string): string[] =>
  output.split('\n').filter((line) => line && !line.startsWith('Fantail is ready'))

const getModulePath = (name: string): string => join(root, `quality/support/${name}.ts`)
