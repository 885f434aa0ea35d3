import { useEffect, useRef, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Button } from '#kit/web/widgets/Button.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { type DocumentRow, listPurchases } from '../invoices.contract.ts'
import { PurchaseTable } from './PurchaseTable.tsx'
import * as s from './purchases.module.css'

/**
 * The purchases of a service, beginning with `first`. "Show more" adds the next page below and moves the focus to its
 * first row. Without scripts, it is a link to a page of older purchases.
 */
export function PurchasePages({ uuid, first }: { uuid: string; first: readonly DocumentRow[] }) {
  const api = useApi()
  const [more, setMore] = useState<readonly DocumentRow[]>([])
  const [isShowing, setShowing] = useState<number | null>(null)
  const table = useRef<HTMLDivElement>(null)
  const purchases = [...first, ...more]
  const last = purchases.at(-1)
  // During an upgrade an older process may answer: it sends every purchase, without `is_oldest`, and ignores `before`.
  const before = last?.is_oldest === false ? last.order_code : null
  const loading = useMutation({
    mutationFn: () => api.call(listPurchases, { params: { uuid }, query: { before: before ?? '' } }),
    onSuccess({ data }) {
      setMore([...more, ...data])
      setShowing(purchases.length)
    },
  })
  useEffect(() => {
    if (isShowing !== null) table.current?.querySelectorAll('tbody tr')[isShowing]?.querySelector('a')?.focus()
  }, [isShowing])

  return (
    <>
      <div ref={table}>
        <PurchaseTable uuid={uuid} purchases={purchases} />
      </div>
      <div role="alert" className={s.failure}>
        {loading.isError && <FailureBanner error={loading.error} />}
      </div>
      {before !== null && (
        <p className={s.more}>
          <Button
            kind="quiet"
            href={`/services/${uuid}/invoices/?before=${before}`}
            aria-busy={loading.isPending || undefined}
            onClick={(event) => {
              event.preventDefault()
              if (!loading.isPending) void loading.mutate()
            }}
          >
            {loading.isPending ? 'Loading…' : 'Show more'}
          </Button>
        </p>
      )}
    </>
  )
}
