import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

const scheduleSchema = v.object({
  short_id: v.string(),
  unique_id: v.string(),
  auto_recharge_enabled: v.boolean(),
  product: v.object({
    title: v.string(),
    length: v.number(),
    colour: v.string(),
    unique_id: v.string(),
    next_product_unique_id: v.nullable(v.string()),
  }),
  /** Paid for already: it begins, without a gap, when the present plan ends. */
  next_plan: v.nullable(
    v.object({
      title: v.string(),
      /** Days. */
      length: v.number(),
      /** ISO 8601 instant. */
      starts_on: v.string(),
    }),
  ),
  /** The service's uuid. */
  service: v.string(),
})
export type Schedule = v.InferOutput<typeof scheduleSchema>

const portingRequestSchema = v.object({
  /** 1 NEW, 2 SUBMITTED, 3 COMPLETED, 4 FAILED. */
  status: v.picklist([1, 2, 3, 4]),
  failure_acknowledged_at: v.nullable(v.string()),
  msisdn: v.string(),
})
export type PortingRequestView = v.InferOutput<typeof portingRequestSchema>

export const serviceSchema = v.object({
  uuid: v.string(),
  /** With country code. */
  msisdn: v.string(),
  /** As it is written at home. */
  phone_number: v.string(),
  plan_short_id: v.string(),
  is_expired: v.boolean(),
  /** ISO 8601 instant at which the plan ends. */
  expiry_date: v.string(),
  porting_request: v.nullable(portingRequestSchema),
  schedules: v.record(v.string(), scheduleSchema),
})
export type Service = v.InferOutput<typeof serviceSchema>

export const listServices = endpoint({
  method: 'GET',
  path: '/api/services/',
  summary: 'The customer’s services by uuid, oldest first',
  output: v.record(v.string(), serviceSchema),
})
