import { useApi } from '#kit/web/api.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { NotFoundScreen } from '#kit/web/screens/NotFoundScreen.tsx'
import { Breadcrumb } from '#kit/web/widgets/Breadcrumb.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Columns, PageTitle } from '#kit/web/widgets/Layout.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { invoiceQuery } from './invoices.queries.ts'
import { TaxDocument } from './TaxDocument.tsx'
import * as s from './invoice.module.css'

/** The page for an invoice or credit note (spec 2.10). The print style sheet shows only the document. */
export default function InvoicePage({ params: { uuid = '', orderCode = '' } }: PageProps) {
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(useApi(), uuid, orderCode))
  const historyPath = `/services/${uuid}/invoices/`
  if (invoice === null) return <NotFoundScreen />
  return (
    <>
      <Breadcrumb href={historyPath} text="Purchase History" />
      <Columns aside={invoice && <DocumentActions href={invoice.pdf_url} />}>
        <Card className={s.document}>
          {invoice ? <TaxDocument invoice={invoice} history={historyPath} /> : <PageTitle>Invoice</PageTitle>}
          {!invoice && !error && <Skeleton lines={12} />}
          {!invoice && error && (
            <Unavailable what="Your invoice can’t be loaded right now." error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      </Columns>
    </>
  )
}

function DocumentActions({ href }: { href: string }) {
  return (
    <div className={s.copies}>
      {/* The target makes it a plain link, because the file is not a page of the portal. The server sends it as an attachment. */}
      <Button href={href} target="_self">
        Download PDF
      </Button>
      <Button kind="quiet" onClick={() => window.print()}>
        Print
      </Button>
    </div>
  )
}
