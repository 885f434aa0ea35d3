import type { Page } from 'playwright-core'
import { expect } from 'vitest'

type Node = { role: string; name: string; level: number; /** Names of the groups that contain it. */ groups: string[] }

const controlRoles = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'checkbox',
  'radio',
  'combobox',
  'slider',
  'tab',
  'menuitem',
  'spinbutton',
  'switch',
  'DisclosureTriangle',
]
const groupRoles = ['group', 'radiogroup']

export async function expectValidTree(page: Page): Promise<void> {
  expect(await findTreeFaults(page), `the tree of ${page.url()}`).toEqual([])
}

export async function findTreeFaults(page: Page): Promise<string[]> {
  const nodes = await readTree(page)
  const each = (...roles: string[]) => nodes.filter(({ role }) => roles.includes(role))
  const findUnnamedElements = (...roles: string[]) =>
    each(...roles)
      .filter(({ name }) => !name)
      .map(({ role }) => `a ${role} without a name`)
  return [
    ...['banner', 'main', 'contentinfo']
      .filter((role) => each(role).length !== 1)
      .map((role) => `${each(role).length} times ${role}`),
    ...findUnnamedElements(
      'navigation',
      'dialog',
      'radiogroup',
      'progressbar',
      'table',
      'tablist',
      'tabpanel',
      'heading',
      'image',
      ...controlRoles,
    ),
    ...twice(each('navigation')).map((name) => `two navigations “${name}”`),
    ...findHeadingFaults(each('heading')),
    ...each('radio')
      .filter((radio) => !radio.groups.some(Boolean))
      .map(({ name }) => `the radio button “${name}” is not in a named group`),
    ...(await findMarkupFaults(page)),
  ]
}

const twice = (nodes: Node[]): string[] =>
  nodes.map(({ name }) => name).filter((name, index, names) => names.indexOf(name) < index)

function findHeadingFaults(headings: Node[]): string[] {
  const first = headings.filter(({ level }) => level === 1)
  const skippedLevels = headings.filter(({ level }, index) => level > (headings[index - 1]?.level ?? 1) + 1)
  return [
    ...(first.length === 1 ? [] : [`${first.length} level-1 headings`]),
    ...skippedLevels.map(({ name, level }) => `the heading “${name}” skips to level ${level}`),
  ]
}

async function readTree(page: Page): Promise<Node[]> {
  const devTools = await page.context().newCDPSession(page)
  const { nodes } = await devTools.send('Accessibility.getFullAXTree')
  await devTools.detach()
  const known = new Map(nodes.map((node) => [node.nodeId, node]))
  const toText = (value: { value?: unknown } | undefined): string => String(value?.value ?? '').trim()

  function findEnclosingGroups(id: string | undefined): string[] {
    const node = id === undefined ? undefined : known.get(id)
    if (!node) return []
    return [
      ...(groupRoles.includes(toText(node.role)) ? [toText(node.name)] : []),
      ...findEnclosingGroups(node.parentId),
    ]
  }

  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties, parentId }) => ({
      role: toText(role),
      name: toText(name),
      level: Number(properties?.find((property) => property.name === 'level')?.value.value ?? 0),
      groups: findEnclosingGroups(parentId),
    }))
}

/**
 * Finds accessibility faults that do not show up in Chromium's accessibility tree: missing `aria-valuetext`, column headers and
 * `aria-current`.
 */
const findMarkupFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const shown = (selector: string, within: ParentNode = document) =>
      [...within.querySelectorAll(selector)].filter((element) => element.checkVisibility({ visibilityProperty: true }))
    const getElementName = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent).trim()
    const count = (marked: Element[], value: string) =>
      marked.filter((element) => element.getAttribute('aria-current') === value).length

    const unlabelledGauges = shown('progress, [role="progressbar"], [type="range"]').filter(
      (bar) => !bar.getAttribute('aria-valuetext'),
    )
    const tablesWithoutHeader = shown('table').filter((table) => shown('thead th, th[scope="col"]', table).length === 0)
    const here = (shown('nav a[href]') as HTMLAnchorElement[]).filter(({ href }) => href === location.href)
    const unmarkedCurrentLinks = here.filter((link) => link.getAttribute('aria-current') !== 'page')
    const steps = shown('nav').filter((nav) => shown('ol', nav).length > 0 && count(shown('li', nav), 'step') !== 1)
    const navsWithManyCurrent = shown('nav').filter((nav) => shown('[aria-current]', nav).length > 1)
    const listsWithoutSelection = shown('[role="tablist"]').filter(
      (list) => shown('[aria-selected="true"]', list).length !== 1,
    )
    return [
      ...unlabelledGauges.map((bar) => `the gauge “${getElementName(bar)}” has no aria-valuetext`),
      ...tablesWithoutHeader.map(
        (table) => `the table “${getElementName(table.querySelector('caption') ?? table)}” has no column headers`,
      ),
      ...unmarkedCurrentLinks.map(
        (link) => `the link “${getElementName(link)}” leads to this page but is not marked as current`,
      ),
      ...steps.map((nav) => `the steps “${getElementName(nav)}” do not mark exactly one step as current`),
      ...navsWithManyCurrent.map(
        (nav) => `the navigation “${getElementName(nav)}” marks more than one entry as current`,
      ),
      ...listsWithoutSelection.map(
        (list) => `the tab list “${getElementName(list)}” does not have exactly one selected tab`,
      ),
    ]
  })
