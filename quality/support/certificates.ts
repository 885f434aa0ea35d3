import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of `quality/tls/`, which `make-clients.sh` in that folder has made. */
const fileOf = (name: string): string => join(import.meta.dirname, '../tls', name)
const pem = (name: string): string => readFileSync(fileOf(name), 'utf8')

type Pair = { cert: string; key: string }
const pairOf = (name: string): Pair => ({ cert: pem(`${name}.crt`), key: pem(`${name}.key`) })

/** Certificates in PEM: a server on this machine with its own CA, the CA of clients, and clients that are known or unknown. */
export const certificates = {
  server: pairOf('localhost'),
  serverCa: pem('localhost.crt'),
  clientCa: pem('client-ca.crt'),
  client: pairOf('client'),
  endedClient: pairOf('ended-client'),
  stranger: pairOf('stranger'),
}

/** The same certificates as files, for settings. */
export const certificateFile = fileOf
