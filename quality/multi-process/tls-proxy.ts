import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pollUntil } from '#quality/support/poll-until.ts'

const root = join(import.meta.dirname, '../..')

export type TlsProxy = {
  port: number
  /**
   * Takes a web process out of the proxy's rotation, or puts all of them back if null is given, as deploy/rolling-restart.sh does around a
   * restart.
   */
  leaveOut(webPort: number | null): Promise<void>
  stop(): Promise<void>
}

type TlsProxyOptions = {
  folder: string
  certificates: string
  port: number
  httpPort: number
  /** The leading digits shared by the web processes' ports, which end in `01` and `02`. */
  webPorts: number
}

/** Starts nginx with the configuration that operators install. On Debian, root also installs nginx if necessary. */
export async function startTlsProxy({
  folder,
  certificates,
  port,
  httpPort,
  webPorts,
}: TlsProxyOptions): Promise<TlsProxy> {
  for (const name of ['conf.d', 'cache', 'log', 'etc', 'body', 'proxy'])
    mkdirSync(join(folder, name), { recursive: true })
  const isRoot = process.getuid?.() === 0
  run('ln', ['-sfn', certificates, join(folder, 'etc/tls')])
  run('sh', [join(root, 'deploy/install-proxy.sh')], {
    FANTAIL_NGINX: folder,
    FANTAIL_NGINX_CACHE: join(folder, 'cache'),
    FANTAIL_NGINX_LOG: join(folder, 'log'),
    FANTAIL_HOST: 'localhost',
    FANTAIL_ETC: join(folder, 'etc'),
    FANTAIL_HTTP_PORT: String(httpPort),
    FANTAIL_HTTPS_PORT: String(port),
    FANTAIL_PORTS: String(webPorts),
  })
  const configPath = join(folder, 'nginx.conf')
  writeFileSync(configPath, buildNginxPrelude(folder, isRoot))
  const child = spawn(findNginx(isRoot), ['-p', folder, '-c', configPath], { stdio: ['ignore', 'ignore', 'inherit'] })
  await pollUntil(() => isListening(child, port))
  return {
    port,
    async leaveOut(webPort) {
      const site = join(folder, 'conf.d/fantail.conf')
      const all = readFileSync(site, 'utf8').replaceAll(/(server 127\.0\.0\.1:\d+) [^;]+;/g, '$1 max_fails=0;')
      writeFileSync(site, webPort === null ? all : all.replace(`:${webPort} max_fails=0;`, `:${webPort} down;`))
      child.kill('SIGHUP')
      // Wait for the connections that nginx has already opened, as deploy/rolling-restart.sh does.
      await pause(1_000)
    },
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const buildNginxPrelude = (folder: string, isRoot: boolean): string =>
  [
    ...(isRoot ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    `pid ${folder}/pid;`,
    `error_log ${folder}/log/error.log crit;`,
    'events { worker_connections 512; }',
    'http {',
    '  default_type application/octet-stream;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`),
    `  include ${folder}/conf.d/*.conf;`,
    '}',
  ].join('\n')

const nginxPath = '/usr/sbin/nginx'

function findNginx(isRoot: boolean): string {
  const isInstalled = (): boolean => spawnSync(nginxPath, ['-v']).status === 0
  if (!isInstalled() && isRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { env })
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light'], { env })
  }
  if (!isInstalled()) throw new Error('nginx is not there: apt-get install nginx-light, or run this as root on Debian.')
  return nginxPath
}

function run(command: string, args: string[], env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ''}: ${stderr.trim()}`)
}

function isListening(child: ChildProcess, port: number): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: '127.0.0.1', port })
    .once('connect', () => resolve(true))
    .once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
