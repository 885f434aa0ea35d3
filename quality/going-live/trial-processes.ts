import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const programPaths = {
  gateway: { file: 'gateway/main.ts', last: 'encryption key: ' },
  tokens: { file: 'access/main.ts', last: 'is ready at' },
  network: { file: 'network/main.ts', last: 'is ready at' },
  mail: { file: 'mail/main.ts', last: 'controls are at' },
  sms: { file: 'sms/main.ts', last: 'is ready at' },
}
export type Service = keyof typeof programPaths
export const serviceNames = Object.keys(programPaths) as Service[]

export function createServices(environmentOf: (service: Service) => Record<string, string>) {
  const childProcesses = new Map<Service, ChildProcess>()

  async function start(service: Service): Promise<string> {
    const { file, last } = programPaths[service]
    const child = spawn(process.execPath, [join(root, 'simulators', file)], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...environmentOf(service) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    childProcesses.set(service, child)
    let output = ''
    const ready = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes(last)) ready.resolve()
      })
    child.once('exit', () => ready.reject(new Error(`the simulator of ${service} ended: ${output}`)))
    await ready.promise
    return output
  }

  async function stop(service: Service): Promise<void> {
    const child = childProcesses.get(service)
    childProcesses.delete(service)
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }

  return {
    start,
    async restart(some: Service[]): Promise<void> {
      for (const service of some) await stop(service)
      for (const service of some) await start(service)
    },
    stopAll: async () => void (await Promise.all([...childProcesses.keys()].map(stop))),
  }
}
