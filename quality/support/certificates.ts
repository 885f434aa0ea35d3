import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of a file in `quality/tls/`. That folder's `make-clients.sh` generates the files. */
const getFilePath = (name: string): string => join(import.meta.dirname, '../tls', name)
const pem = (name: string): string => readFileSync(getFilePath(name), 'utf8')

type Pair = { cert: string; key: string }
const readKeyPair = (name: string): Pair => ({ cert: pem(`${name}.crt`), key: pem(`${name}.key`) })

export const certificates = {
  server: readKeyPair('localhost'),
  serverCa: pem('localhost.crt'),
  clientCa: pem('client-ca.crt'),
  client: readKeyPair('client'),
  endedClient: readKeyPair('ended-client'),
  stranger: readKeyPair('stranger'),
}

export const certificateFile = getFilePath
