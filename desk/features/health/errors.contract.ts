import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { reportSchema } from '#features/error-reports/error-reports.contract.ts'

/** The path has a constant of its own, so that a page can send an error report without loading the endpoint's schema. */
export const deskReportPath = '/api/desk/errors/'

export const sendDeskReport = endpoint({
  method: 'POST',
  path: deskReportPath,
  summary: 'Reports an unexpected browser error on a desk page',
  body: reportSchema,
  output: v.object({}),
  maxBytes: 8 * 1024,
})
