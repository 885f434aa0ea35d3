import { expect, test } from 'vitest'
import { isOperationId } from './operations.store.ts'

test("isOperationId() accepts the IDs of an order's operations but not those of number transfers and releases", () => {
  for (const id of ['FT0123456789-sim-1', 'FT0123456789-plan-2', 'FT0123456789-unaddon-10'])
    expect(isOperationId(id)).toBe(true)
  const service = '8f14e45f-ceea-467f-a0e6-d2f6b0f9f3c1'
  for (const id of [`${service}-port-1`, 'FT0123456789-port-1', `release-${service}`, 'FT0123456789-plan-1-late', ''])
    expect(isOperationId(id)).toBe(false)
})
