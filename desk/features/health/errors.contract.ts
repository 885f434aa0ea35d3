import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { reportSchema } from '#features/error-reports/error-reports.contract.ts'
import { deskReportPath } from './desk-report-path.contract.ts'

export const sendDeskReport = endpoint({
  method: 'POST',
  path: deskReportPath,
  summary: 'Reports an unexpected browser error on a desk page',
  body: reportSchema,
  output: v.object({}),
  maxBytes: 8 * 1024,
})
