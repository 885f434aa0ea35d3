import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from '#kit/server/free-port.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const root = join(import.meta.dirname, '..')
const npmStart = ['npm', 'start', '--', '--api-only']
const asFirstProcess = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']

const started: { child: ChildProcess; home: string }[] = []
afterEach(() => {
  for (const { child, home } of started.splice(0)) {
    // Kills the whole process group, because some of its processes may still be running.
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
})

async function run([program = '', ...args]: string[]) {
  const [home, port] = [createDataFolder('fantail-npm-'), await findFreePort()]
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home, DATA_DIR: home, PORT: String(port), DEMO_CUSTOMERS: 'none' },
  })
  started.push({ child, home })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  await pollUntil(async () => said.includes('Fantail is ready') || child.exitCode !== null)
  if (child.exitCode !== null) throw new Error(`it did not start: ${said}`)
  return { child, pid: child.pid ?? 0, port, socket: join(home, 'operator.sock'), output: () => said }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

/** Whether a process is running. A zombie, whose exit status its parent has not collected yet, counts as not running. */
const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

async function terminate({ child, pid, port, socket }: Awaited<ReturnType<typeof run>>, target: number) {
  const all = descendantsOf(pid)
  expect([await answers(port), existsSync(socket)]).toEqual([true, true])
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const asked = performance.now()
  process.kill(target, 'SIGTERM')
  const [code] = await ended
  return {
    code,
    isSoon: performance.now() - asked < 15_000,
    left: all.filter(isRunning),
    answers: await answers(port),
    socket: existsSync(socket),
  }
}
const cleanly = { code: 0, isSoon: true, left: [], answers: false, socket: false }

test.skipIf(process.platform !== 'linux')('npm start ends with all its child processes on SIGTERM', async () => {
  const npm = await run(npmStart)
  expect(await terminate(npm, npm.pid)).toEqual(cleanly)
})

test('“npm run dev” restarts the server when one of its files changes', async () => {
  const { output } = await run(['npm', 'run', 'dev'])
  let touchedAt = 0
  const hasRestarted = async (): Promise<boolean> => {
    // Node's file watcher misses changes made before it starts watching the file, so this test touches the file repeatedly, with pauses.
    if (!output().includes('Restarting') && performance.now() - touchedAt > 2_000) {
      touchedAt = performance.now()
      utimesSync(join(root, 'app/plan-callbacks.ts'), new Date(), new Date())
    }
    return output().split('Fantail is ready').length > 2
  }
  expect(await pollUntil(hasRestarted)).toBe(true)
})

const mayUnshare =
  process.platform === 'linux' && spawnSync('unshare', [...asFirstProcess.slice(1), 'true']).status === 0

test.skipIf(!mayUnshare)(
  'npm start ends on SIGTERM even as the first process of a container, which signals do not end by default',
  async () => {
    const container = await run([...asFirstProcess, ...npmStart])
    const [first = 0] = childrenOf(container.pid)
    expect(await terminate(container, first)).toEqual(cleanly)
  },
)
