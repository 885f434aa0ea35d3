import { useEffect, useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { type DocumentRow, listPurchases } from '../invoices.contract.ts'
import { PurchaseTable } from './PurchaseTable.tsx'
import * as s from './purchases.module.css'

/**
 * Shows a service's purchases, starting with those in `first`. "Show more" adds the next page below and moves the focus to
 * the first new row. Without JavaScript, "Show more" is a link to a page of older purchases.
 */
export function PurchaseList({ uuid, first }: { uuid: string; first: readonly DocumentRow[] }) {
  const api = useApi()
  const [morePurchases, setMorePurchases] = useState<readonly DocumentRow[]>([])
  const [focusedRowIndex, setFocusedRowIndex] = useState<number | null>(null)
  const table = useRef<HTMLDivElement>(null)
  const purchases = [...first, ...morePurchases]
  const lastPurchase = purchases.at(-1)
  // During an upgrade, the previous version may respond. It ignores `before` and returns all purchases, without `is_oldest`.
  const nextCursor = lastPurchase?.is_oldest === false ? lastPurchase.order_code : null
  const loadMore = useMutation({
    mutationFn: () => api.call(listPurchases, { params: { uuid }, query: { before: nextCursor ?? '' } }),
    onSuccess({ data }) {
      setMorePurchases([...morePurchases, ...data])
      setFocusedRowIndex(purchases.length)
    },
  })
  useEffect(() => {
    if (focusedRowIndex !== null)
      table.current?.querySelectorAll('tbody tr')[focusedRowIndex]?.querySelector('a')?.focus()
  }, [focusedRowIndex])

  return (
    <>
      <div ref={table}>
        <PurchaseTable uuid={uuid} purchases={purchases} />
      </div>
      <div role="alert" className={s.failure}>
        {loadMore.isError && <FailureBanner error={loadMore.error} />}
      </div>
      {nextCursor !== null && (
        <p className={s.more}>
          <Button
            kind="quiet"
            href={`/services/${uuid}/invoices/?before=${nextCursor}`}
            aria-busy={loadMore.isPending || undefined}
            onClick={(event) => {
              event.preventDefault()
              if (!loadMore.isPending) void loadMore.mutate()
            }}
          >
            {loadMore.isPending ? 'Loading…' : 'Show more'}
          </Button>
        </p>
      )}
    </>
  )
}
