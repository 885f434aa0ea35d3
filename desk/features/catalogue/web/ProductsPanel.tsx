import { lazy, type ReactNode, Suspense } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { DataTable, type DataRow } from '#kit/web/desk/DataTable.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import type { DeskProduct } from '../catalogue.contract.ts'
import { ProductName } from './ChangesPanel.tsx'

const ProductFinder = lazy(() => import('./ProductFinder.tsx'))

const columns = [
  { title: 'Product', isName: true },
  { title: 'Type', isShort: true },
  { title: 'Length', isFigure: true },
  { title: 'Price', isFigure: true },
  { title: 'Auto-renewal price', isFigure: true },
  { title: 'Data', isFigure: true },
  { title: 'State', isShort: true },
]

/** With more products than this, staff can search the list. */
const maxUnfilteredProducts = 50

/** Lists all current products, including hidden ones, because customers' plans may still refer to them. */
export function ProductsPanel({ products }: { products: DeskProduct[] }) {
  const forSaleCount = products.filter(({ is_for_sale }) => is_for_sale).length
  const renderTable = (shown: readonly DeskProduct[], more?: ReactNode) => (
    <DataTable
      caption="On sale now"
      columns={columns}
      rows={shown.map(toRow)}
      empty={products.length === 0 ? 'Nothing is on sale.' : 'No products match your search.'}
      more={more}
    />
  )
  return (
    <Panel title="On sale now" note={`${forSaleCount} of ${products.length} products`} inset={false}>
      {products.length > maxUnfilteredProducts ? (
        <Suspense fallback={renderTable(products.slice(0, maxUnfilteredProducts))}>
          <ProductFinder products={products} pageSize={maxUnfilteredProducts}>
            {renderTable}
          </ProductFinder>
        </Suspense>
      ) : (
        renderTable(products)
      )}
    </Panel>
  )
}

const toRow = (product: DeskProduct): DataRow => ({
  key: product.unique_id,
  cells: [
    <ProductName key="name" title={product.title} id={product.unique_id} />,
    product.kind === 'plan' ? 'Plan' : 'Add-on',
    `${product.days} days`,
    formatPriceWithCommas(decimalToCents(product.price)),
    product.price_rebill ? formatPriceWithCommas(decimalToCents(product.price_rebill)) : '–',
    `${product.data_gb} GB`,
    <State key="state" product={product} />,
  ],
})

function State({ product }: { product: DeskProduct }) {
  if (product.is_hidden) return <TonePill tone="warn">Hidden</TonePill>
  return product.is_for_sale ? <TonePill tone="good">On sale</TonePill> : <TonePill>Not on sale</TonePill>
}
