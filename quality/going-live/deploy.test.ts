import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memoryFlags } from '#quality/faults/supervise.ts'
import { isInstalled, type ScriptResult, run, script } from './run-script.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'fantail-deploy-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function installUnits(): string {
  const units = join(folder, 'units')
  mkdirSync(join(folder, 'home'), { recursive: true })
  if (!existsSync(join(folder, 'home/current'))) spawnSync('ln', ['-s', resolve('.'), join(folder, 'home/current')])
  mkdirSync(units, { recursive: true })
  const names = { FANTAIL_UNITS: units, FANTAIL_HOME: join(folder, 'home'), FANTAIL_USER: 'daemon' }
  expect(run(script('install-units.sh'), [], { ...names, FANTAIL_PORTS: '471' })).toEqual({ status: 0, said: '' })
  return units
}

describe('systemd units', () => {
  test('systemd units are installed with the configured folders, ports and user', () => {
    const units = installUnits()
    const text = readFileSync(join(units, 'fantail-web@.service'), 'utf8')
    expect(text).toContain(`WorkingDirectory=${folder}/home/current\n`)
    expect(text).toContain('User=daemon\nGroup=daemon\n')
    expect(text).toContain('PORT=4710%i\n')
    expect(readFileSync(join(units, 'fantail-worker@.service'), 'utf8')).toContain('PORT=4711%i\n')
  })

  test('systemd units and the container have the same memory settings, and this version of Node accepts the flags', () => {
    expect(run(process.execPath, [...memoryFlags, '--eval', '0'])).toEqual({ status: 0, said: '' })
    for (const name of ['web', 'worker']) {
      const unit = readFileSync(`deploy/systemd/fantail-${name}@.service`, 'utf8')
      expect(unit).toContain('Environment=MALLOC_MMAP_THRESHOLD_=1000000\n')
      expect(unit).toContain(`/node ${memoryFlags.join(' ')} app/main.ts\n`)
    }
    const container = readFileSync('deploy/container/Containerfile', 'utf8')
    expect(container).toContain('ENV MALLOC_MMAP_THRESHOLD_=1000000\n')
    expect(container).toContain(`CMD ${JSON.stringify([...memoryFlags, 'app/main.ts']).replaceAll(',', ', ')}`)
  })

  test('by default, the systemd unit for migrations uses the paths in docs/going-live.md', () => {
    const text = readFileSync('deploy/systemd/fantail-migrate.service', 'utf8')
    for (const place of ['/opt/fantail/current', '/etc/fantail/fantail.env', '/etc/fantail/migrate.env'])
      expect(text).toContain(place)
  })

  // `systemd-analyze` comes with Debian's systemd. It may be missing in a container, but CI and every Debian machine have it.
  test.skipIf(!isInstalled('systemd-analyze'))('systemd-analyze finds nothing wrong with the systemd units', () => {
    const units = installUnits()
    for (const unit of ['fantail-web@1', 'fantail-worker@1', 'fantail-migrate']) {
      const file = join(units, `${unit}.service`)
      // Where systemd is not running, `systemd-analyze` needs a separate file for each instance of a unit.
      if (unit.includes('@')) cpSync(join(units, `${unit.replace(/1$/, '')}.service`), file)
      expect([unit, run('systemd-analyze', ['verify', '--man=no', file])]).toEqual([unit, { status: 0, said: '' }])
      // `--threshold` is in tenths of the exposure score: a service without any restrictions scores 96, and systemd rates a score of 20 or
      // below as OK.
      const exposure = run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', file])
      expect([unit, exposure.status]).toEqual([unit, 0])
    }
  })
})

describe('reverse proxy configurations', () => {
  function nginxFolder(): string {
    const nginx = join(folder, 'nginx')
    mkdirSync(join(nginx, 'conf.d'), { recursive: true })
    const logs = `error_log ${nginx}/error.log; pid ${nginx}/pid;`
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${nginx}/t;`,
    )
    writeFileSync(
      join(nginx, 'nginx.conf'),
      `${logs} events {} http { ${temporary.join(' ')} include ${nginx}/conf.d/*.conf; }\n`,
    )
    return nginx
  }

  const namesOf = (nginx: string) => ({
    FANTAIL_NGINX: nginx,
    FANTAIL_NGINX_CACHE: join(nginx, 'cache'),
    FANTAIL_NGINX_LOG: nginx,
    FANTAIL_ETC: join(folder, 'etc'),
    FANTAIL_HOST: 'portal.example.nz',
    FANTAIL_HTTP_PORT: '47080',
    FANTAIL_HTTPS_PORT: '47443',
  })

  test('the reverse proxy’s site for the portal is installed with the configured host and ports', () => {
    const nginx = nginxFolder()
    const tls = join(folder, 'etc/tls')
    const made = run(script('make-ca.sh'), [tls, 'portal.example.nz'])
    expect(made).toEqual({ status: 0, said: '' })
    const names = { ...namesOf(nginx), FANTAIL_PORTS: '471' }
    expect(run(script('install-proxy.sh'), [], names)).toEqual({ status: 0, said: '' })
    const site = readFileSync(join(nginx, 'conf.d/fantail.conf'), 'utf8')
    expect(site).not.toMatch(/my\.example\.nz|listen.*[ :](?:80|443)[ ;]|127\.0\.0\.1:300/)
    expect(site).toContain('server 127.0.0.1:47101 max_fails=0;')
    if (!isInstalled('nginx')) return
    expect(run('nginx', ['-t', '-c', join(nginx, 'nginx.conf')]).said).toMatch(/test is successful$/)
  })

  test('a reverse proxy site for the desk is installed only if the desk has a host name', () => {
    const nginx = nginxFolder()
    const tls = join(folder, 'etc/tls')
    expect(run(script('make-ca.sh'), [tls, 'portal.example.nz', 'desk.portal.example.nz']).status).toBe(0)
    const names = namesOf(nginx)
    const place = join(nginx, 'conf.d/fantail-desk.conf')
    expect(run(script('install-proxy.sh'), [], names)).toEqual({ status: 0, said: '' })
    expect(existsSync(place)).toBe(false)
    const desk = { ...names, FANTAIL_DESK_HOST: 'desk.portal.example.nz', FANTAIL_DESK_PORTS: '472' }
    expect(run(script('install-proxy.sh'), [], desk)).toEqual({ status: 0, said: '' })
    const site = readFileSync(place, 'utf8')
    expect(site).toContain('server_name desk.portal.example.nz;')
    expect(site).toContain('server 127.0.0.1:47201 max_fails=0;')
    expect(site).toMatch(/client_max_body_size 21m;[^]*proxy_set_header X-Forwarded-For \$remote_addr;/)
    expect(site).toContain('access_log off;')
    if (!isInstalled('nginx')) return
    expect(run('nginx', ['-t', '-c', join(nginx, 'nginx.conf')]).said).toMatch(/test is successful$/)
  })

  test('the proxies overwrite X-Forwarded-For, never repeat a POST, and do not keep idle connections to Fantail', () => {
    const nginx = readFileSync('deploy/nginx/fantail.conf', 'utf8').replaceAll(/^\s*#.*$/gm, '')
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(nginx).not.toMatch(/proxy_add_x_forwarded_for|non_idempotent|\bkeepalive \d/)
    expect(nginx).toContain('proxy_next_upstream error timeout')
    const caddy = readFileSync('deploy/caddy/Caddyfile', 'utf8')
    expect(caddy).toContain('header_up X-Forwarded-For {remote_host}')
    expect(caddy).toContain('keepalive off')
  })

  test.skipIf(!isInstalled('caddy')).each(['Caddyfile', 'desk.Caddyfile'])('Caddy understands %s', (file) => {
    const { status, said } = run('caddy', ['validate', '--adapter', 'caddyfile', '--config', `deploy/caddy/${file}`])
    expect([status, said]).toEqual([0, expect.stringContaining('Valid configuration')])
  })
})

describe('creating a private certificate authority', () => {
  const read = (name: string): X509Certificate => new X509Certificate(readFileSync(join(folder, 'ca', name)))

  test('make-ca.sh sets up a certificate authority that issues certificates for hosts, addresses and clients', () => {
    expect(run(script('make-ca.sh'), [join(folder, 'ca'), 'localhost', '10.0.0.7', 'db.example.nz'])).toMatchObject({
      status: 0,
    })
    const authority = read('ca.crt')
    expect(authority.ca).toBe(true)
    for (const name of ['localhost', '10.0.0.7', 'db.example.nz'])
      expect([name, read(`${name}.crt`).checkIssued(authority), read(`${name}.crt`).ca]).toEqual([name, true, false])
    expect(read('db.example.nz.crt').checkHost('db.example.nz')).toBe('db.example.nz')
    expect(read('10.0.0.7.crt').checkIP('10.0.0.7')).toBe('10.0.0.7')
    expect(read('localhost.crt').checkIP('127.0.0.1')).toBe('127.0.0.1')
  })

  test('make-ca.sh keeps keys private and leaves existing certificates unchanged', () => {
    expect(statSync(join(folder, 'ca/localhost.key')).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'ca/ca.key')).mode & 0o077).toBe(0)
    const before = read('localhost.crt').fingerprint256
    run(script('make-ca.sh'), [join(folder, 'ca'), 'localhost'])
    expect(read('localhost.crt').fingerprint256).toBe(before)
  })

  test.each(['../evil', 'a/b', '-x', 'a b', ''])('make-ca.sh rejects the name %j', (name) => {
    expect(run(script('make-ca.sh'), [join(folder, 'ca'), name])).toMatchObject({ status: 1 })
  })
})

describe('changing a settings file with setting.sh', () => {
  const file = (): string => join(folder, 'settings.env')
  const setting = (...args: string[]): ScriptResult => run(script('setting.sh'), [file(), ...args])

  test('setting.sh reads and writes one setting, leaving the file’s permissions and other settings unchanged', () => {
    writeFileSync(file(), 'A="one two <x@y.nz>"\nB=plain\n', { mode: 0o600 })
    expect([setting('A').said, setting('B').said, setting('C').said]).toEqual(['one two <x@y.nz>', 'plain', ''])
    expect(setting('B', 'a=b|c&d')).toEqual({ status: 0, said: '' })
    expect(setting('C', '')).toEqual({ status: 0, said: '' })
    expect(readFileSync(file(), 'utf8')).toBe('A="one two <x@y.nz>"\nB="a=b|c&d"\nC=""\n')
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  test.each(['quo"te', 'dol$lar', 'back\\slash', 'tick`', 'line\nend'])('setting.sh rejects the value %j', (value) => {
    expect(setting('A', value)).toMatchObject({ status: 1 })
    expect(setting('A').said).toBe('one two <x@y.nz>')
  })

  test('setting.sh rejects an invalid name', () => {
    expect(setting('a|b', 'x')).toMatchObject({ status: 1 })
  })
})

test('every deployment script is valid sh and is executable', () => {
  for (const name of [
    'install-proxy.sh',
    'install-units.sh',
    'make-ca.sh',
    'rolling-restart.sh',
    'setting.sh',
    'container/build-root.sh',
    'container/make-env.sh',
  ]) {
    expect([name, run('sh', ['-n', script(name)])]).toEqual([name, { status: 0, said: '' }])
    expect([name, statSync(script(name)).mode & 0o111]).toEqual([name, 0o111])
  }
})
