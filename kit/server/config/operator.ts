/** Where the operator's tool is heard from other hosts, and the files of its certificate and key. */
export type OperatorConfig = { host: string; port: number; certFile: string; keyFile: string }

/** Null where it is off, as it is unless a port is named. What is wrong goes to `fault`, a line each. */
export function operatorConfig(
  env: Record<string, string | undefined>,
  port: number,
  fault: (line: string) => void,
): OperatorConfig | null {
  const asked = env['OPERATOR_PORT']
  if (!asked) return null
  const [certFile, keyFile] = [env['OPERATOR_TLS_CERT'], env['OPERATOR_TLS_KEY']]
  if (!/^\d{1,5}$/.test(asked) || Number(asked) > 65_535) fault('OPERATOR_PORT must be a whole number from 0 to 65535.')
  // 0 picks one that is free.
  else if (Number(asked) === port && port !== 0) fault('OPERATOR_PORT must not be the port of the customers, PORT.')
  if (!certFile || !keyFile)
    fault('OPERATOR_TLS_CERT and OPERATOR_TLS_KEY are missing: the operator is heard over TLS only.')
  return {
    host: env['OPERATOR_HOST'] || '127.0.0.1',
    port: Number(asked),
    certFile: certFile ?? '',
    keyFile: keyFile ?? '',
  }
}
