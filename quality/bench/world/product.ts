import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findFreePort } from '#kit/server/free-port.ts'
import { readMemoryMegabytes } from '#quality/faults/process-memory.ts'

export type BenchProduct = {
  port: number
  /** The port that Fantail's desk listens on; null if there is no desk. */
  deskPort: number | null
  url: string
  dataDir: string
  pid: number | null
  secondsToReady: number
  megabytes(): number | null
  complaints(): string[]
  stop(): Promise<void>
}

export type ProductOptions = {
  pages?: boolean
  role?: 'web'
  hasDesk?: boolean
  preload?: string
  onTold?(told: unknown): void
}

const root = join(import.meta.dirname, '../../..')
const maxStartMs = 120_000

const runningProducts = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of runningProducts) child.kill('SIGKILL')
})

/** Starts Fantail and waits until it is ready. @throws an error with the complete output if Fantail does not start */
export async function startProduct(
  env: Record<'PORT' | 'DATA_DIR', string> & Record<string, string>,
  { pages = false, role, hasDesk = false, preload, onTold }: ProductOptions = {},
): Promise<BenchProduct> {
  const deskPort = hasDesk ? await findFreePort() : null
  const began = performance.now()
  const preloadArgs = preload ? ['--import', join(root, 'quality/bench', preload)] : []
  const child = spawn(process.execPath, [...preloadArgs, 'app/main.ts', ...(pages ? [] : ['--api-only'])], {
    cwd: root,
    env: { PATH: process.env['PATH'], DESK_PORT: String(deskPort ?? 'off'), ...(role && { ROLE: role }), ...env },
    // Structured serialisation keeps dates as dates and numbers as numbers.
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', ...(onTold ? (['ipc'] as const) : [])],
  })
  runningProducts.add(child)
  if (onTold) child.on('message', onTold)
  const gone = once(child, 'exit')
  void gone.then(() => runningProducts.delete(child))
  const { isReady, output } = watchOutput(child)
  const late = setTimeout(() => child.kill('SIGKILL'), maxStartMs)
  const ended = gone.then(() => {
    throw new Error(`the product did not start: ${output()}`)
  })
  await Promise.race([isReady, ended])
  clearTimeout(late)
  ended.catch(() => {})
  const secondsToReady = (performance.now() - began) / 1_000
  return {
    port: Number(env.PORT),
    deskPort,
    url: `http://localhost:${env.PORT}`,
    dataDir: env.DATA_DIR,
    pid: child.pid ?? null,
    secondsToReady,
    megabytes: () => readMemoryMegabytes(child.pid ?? null),
    complaints: () =>
      output()
        .split('\n')
        .filter((line) => line && !/^(?:Fantail|The desk) is ready/.test(line)),
    async stop() {
      if (child.exitCode === null && child.signalCode === null && child.kill()) await gone
    },
  }
}

function watchOutput({ stdout, stderr }: ChildProcess): { isReady: Promise<void>; output(): string } {
  const { promise: isReady, resolve } = Promise.withResolvers<void>()
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Fantail is ready')) resolve()
    })
  return { isReady, output: () => output }
}
