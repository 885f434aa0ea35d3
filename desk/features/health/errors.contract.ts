import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { reportSchema } from '#features/error-reports/error-reports.contract.ts'
import { deskErrorReportPath } from './desk-error-report-path.contract.ts'

export const sendDeskErrorReport = endpoint({
  method: 'POST',
  path: deskErrorReportPath,
  summary: 'Reports an unexpected browser error on a desk page',
  body: reportSchema,
  output: v.object({}),
  maxBytes: 8 * 1024,
})
