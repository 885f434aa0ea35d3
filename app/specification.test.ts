import { expect, test } from 'vitest'
import { voucherMessages } from '#features/vouchers/vouchers.contract.ts'
import { apiRoutes } from './api.ts'
import type { Deps } from './deps.ts'

/** The endpoints that section 7 of the specification lists. */
const specified = [
  'GET /api/account/',
  'POST /api/account/logout/',
  'GET /api/account/resend_verification/',
  'POST /api/account/login/',
  'POST /api/account/password_reset_request/',
  'POST /api/forgot_password_reset/:uid/:token/',
  'POST /api/account/change_password/',
  'POST /api/account/update_details/',
  'GET /api/account/update_email/',
  'POST /api/account/update_email/',
  'POST /api/account/update_email/resend_otp/',
  'POST /api/account/update_email/resend_email/',
  'GET /api/account/invoices/:uuid/',
  'GET /api/account/invoices/:uuid/:orderCode/',
  'GET /api/account/usage_summary/:uuid/',
  'GET /api/account/usage_detail/:uuid/',
  'GET /api/account/porting_providers/',
  'GET /api/services/',
  'PUT /api/services/auto_renew/:uuid/:scheduleId/',
  'DELETE /api/services/auto_renew/:uuid/:scheduleId/',
  'POST /api/services/port/:uuid/',
  'POST /api/services/acknowledge_port_failure/:uuid/',
  'GET /api/products/filters/',
  'GET /api/products/',
  'GET /api/vouchers/:code/',
  'POST /api/orders/update_payment/',
  'POST /api/orders/addons/',
  'POST /api/orders/recharge/',
  'POST /api/orders/:orderId/resume/',
  'GET /api/activate/',
  'POST /api/activate/activate/',
  'GET /api/activate/activate/',
  'POST /api/activate/sim/',
  'POST /api/activate/port/',
  'POST /api/activate/signup/',
  'POST /api/activate/method/',
  'POST /api/activate/plan/',
  'POST /api/activate/pay/',
]

test('every endpoint in the specification is served at its path', () => {
  const served = apiRoutes({} as Deps).map(({ endpoint: { method, path } }) => `${method} ${path}`)
  expect(specified.filter((call) => !served.includes(call))).toEqual([])
})

test('the voucher field uses the specification’s messages', () => {
  expect(voucherMessages).toMatchObject({
    required: 'Please enter a Voucher Code.',
    noAnswer: 'There was an error loading your voucher. Please try again',
  })
})
