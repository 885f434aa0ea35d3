import { type Environment, type ReportFault, port as portSchema, readSetting } from './setting.ts'

export type OperatorConfig = { host: string; port: number; certFile: string; keyFile: string }

export function readOperatorConfig(env: Environment, customersPort: number, fault: ReportFault): OperatorConfig | null {
  if (!env['OPERATOR_PORT']) return null
  const [certFile, keyFile] = [env['OPERATOR_TLS_CERT'], env['OPERATOR_TLS_KEY']]
  const port = readSetting({ env, fault }, 'OPERATOR_PORT', portSchema, 0)
  if (port === customersPort && port !== 0) fault('OPERATOR_PORT must be different from PORT.')
  if (!certFile || !keyFile)
    fault('OPERATOR_TLS_CERT and OPERATOR_TLS_KEY are missing: OPERATOR_PORT works over TLS only.')
  return { host: env['OPERATOR_HOST'] || '127.0.0.1', port, certFile: certFile ?? '', keyFile: keyFile ?? '' }
}
