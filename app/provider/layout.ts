import * as v from 'valibot'
import type { Layout } from '#kit/contract/bootstrap.ts'
import { isSafeLink, safeLinkFormats } from '#kit/contract/links.ts'
import { type JsonFile, parseJsonFile } from '#kit/server/config/json-file.ts'
import { singleLineText } from '#kit/server/config/parse-json.ts'

const url = v.pipe(
  v.string(),
  v.check(isSafeLink, (issue) => `must be ${safeLinkFormats}, not ${JSON.stringify(issue.input)}.`),
)
const menu = v.array(v.strictObject({ text: singleLineText(60), url }))

const layoutSchema = v.strictObject({
  menus: v.strictObject({
    header: menu,
    footer: v.array(v.strictObject({ title: singleLineText(60), items: menu })),
    /** Older folders still have this menu. Signed-in customers now see the columns of `footer`, so it is ignored. */
    short_footer: v.optional(menu),
  }),
  roaming_link_text: singleLineText(60),
  roaming_link_url: url,
  plan_selection_terms: v.array(singleLineText(2_000)),
  faq_url: url,
  order_sim_url: url,
  copyright: singleLineText(200),
})

export function parseLayout(file: JsonFile): Layout | null {
  const layout = parseJsonFile(file, layoutSchema)
  if (!layout) return null
  const { header, footer } = layout.menus
  const lists: [place: string, key: string, values: string[]][] = [
    ['menus.header', 'url', header.map((item) => item.url)],
    ['menus.footer', 'title', footer.map(({ title }) => title)],
    ...footer.map(({ items }, index): [string, string, string[]] => [
      `menus.footer.${index}.items`,
      'url',
      items.map((item) => item.url),
    ]),
  ]
  for (const [place, key, values] of lists) {
    for (const [index, value] of values.entries())
      if (values.indexOf(value) !== index) file.report(`${place}.${index}.${key}`, `${value} appears twice.`)
  }
  return { ...layout, menus: { header, footer } }
}
