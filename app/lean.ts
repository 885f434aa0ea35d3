const setting = 'MALLOC_MMAP_THRESHOLD_'

/**
 * Has this process begin again, as the same one, with settings that are only read at a program's very beginning; nothing
 * of it has happened yet. Without them the C library keeps what each thread has hashed a password in, for good: 40 MB a
 * thread. V8 keeps less for what is young, which is 30 to 50 MB for a twentieth of a read's processor time; and it lets what has been
 * dropped become several times what is in use before it looks: on a server's database it looks sooner, which costs reads nothing.
 */
export function beginLean(started: NodeJS.Process = process): void {
  const { env, execPath, execArgv, argv, execve, connected, permission } = started
  // What its parent talks to it by would not outlive that. Elsewhere there is no such call, or no such library.
  if (process.platform !== 'linux' || !execve || connected || env[setting] !== undefined) return
  // Under Node's own restrictions (`--permission`) a process may begin no other.
  if (permission && !permission.has('child')) return
  const flags = ['--max-semi-space-size=8', ...(env['DATABASE_URL'] ? ['--heap-growing-percent=30'] : [])]
  execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], { ...env, [setting]: '1000000' })
}
