import { render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useUnresolvedOrder } from './unresolved-order.ts'

function Place({ name }: { name: string }) {
  const [order] = useUnresolvedOrder(name)
  return <p>{order ? `${order.order_code} for ${order.purchase}` : 'nothing'}</p>
}

afterEach(() => sessionStorage.clear())

// Commit 7b3431c8 stored this format. It must remain readable, because a tab may stay open while the provider upgrades.
test('reads an order with an unknown outcome in the format that an earlier version stored', () => {
  sessionStorage.setItem('in-doubt:renew-abc-card', '{"order_code":"FT0000000042","purchase":"plan-30-5gb"}')
  render(<Place name="renew-abc-card" />)
  expect(document.body.textContent).toBe('FT0000000042 for plan-30-5gb')
})

test.each(['{', '[]', '{"order_code":42,"purchase":"plan-30-5gb"}'])(
  'ignores stored text that does not contain an order: %s',
  (text) => {
    sessionStorage.setItem('in-doubt:renew-abc-card', text)
    render(<Place name="renew-abc-card" />)
    expect(document.body.textContent).toBe('nothing')
  },
)
