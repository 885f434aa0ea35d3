import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { ListenAddress } from '../file-schemas.ts'
import { pollUntil } from '../poll-until.ts'

export type MailListener = {
  url: string
  find(part: string, signal: AbortSignal): Promise<string | null>
  close(): Promise<void>
}

const maxMailBytes = 40_000_000

export async function listenForMail({ host, port, seconds }: ListenAddress): Promise<MailListener> {
  const sources: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    size: maxMailBytes,
    rejectOversized: true,
    closeTimeout: 0,
    async onData(stream, _session, done) {
      sources.push((await buffer(stream)).toString('latin1'))
      done()
    },
  })
  // Broken connections are ignored, because the relay notices them and resends the email.
  server.on('error', () => {})
  server.listen(port, host)
  await once(server.server, 'listening')
  return {
    url: `smtp://${host}:${(server.server.address() as AddressInfo).port}`,
    find: (part, signal) =>
      pollUntil(() => sources.find((source) => source.includes(part)) ?? null, { ms: seconds * 1_000, signal }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
