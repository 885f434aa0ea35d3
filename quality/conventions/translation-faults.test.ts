import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findTranslationFaults } from './translation-faults.ts'

const faultsOf = (jsx: string): string[] =>
  findTranslationFaults(
    'Part.tsx',
    `function Part({ name, isOld, extra }: { extra: TextFreeNode }) {\n  return ${jsx}\n}`,
  ).map((fault) => fault.split(': ')[1] ?? '')

describe('markup that breaks when a browser translates the page', () => {
  test.each([
    ['conditional text beside siblings', '<p>Hello{isOld && ` ${name}`}</p>'],
    ['conditional text beside siblings', `<p>{name}{isOld ? 's' : ''}</p>`],
    ['conditional text beside siblings', `<p><b />{isOld ? <i /> : 'new'}</p>`],
    ['text after a conditional sibling', '<p>{isOld && <b />}Hello</p>'],
    ['text after a conditional sibling', '<p>{list.map((each) => <b key={each} />)}{name}</p>'],
    ['text after a conditional sibling', '<p>{extra}Hello</p>'],
    ['text after a conditional sibling', '<p>{isOld ? <i /> : <b />}Hello</p>'],
    ['text in a fragment', '<p>{isOld && <>Hello <b /></>}</p>'],
    ['text in a fragment', '<Fragment>Hello</Fragment>'],
    ['needs a key of its own', '<p>{isOld ? <b>Hello {name}</b> : <b>Hello</b>}</p>'],
    ['text in an array', '<p>{isOld ? [name, <b key="again">again</b>] : name}</p>'],
    ['a component that is text', '`Hello ${name}`'],
  ])('reports markup that breaks under a page translator, %s: %s', (fault, jsx) =>
    expect(faultsOf(jsx)).toEqual([fault]),
  )

  test('the translation check reports a component whose two return values share an element with different text', () =>
    expect(
      findTranslationFaults(
        'Part.tsx',
        'function Part() {\n  if (isOld) return <p>Hello {name}</p>\n  return <p>Hello</p>\n}',
      ),
    ).toEqual(['3: needs a key of its own: <p>Hello</p>']))
})

describe('markup that still works when a browser translates the page', () => {
  test.each([
    '<p>Hello {name}, <b>welcome</b></p>',
    '<p>Hello {isOld && <b>again</b>}</p>',
    '<p>{isOld && <b />}<span>Hello</span></p>',
    `<p>{isOld && 'Hello'}</p>`,
    `<p>Hello {isOld ? 'again' : 'there'}</p>`,
    `<p>{isOld && <b />}{' '}<i /></p>`,
    '<p>{isOld && <span>Hello <b /></span>}</p>',
    '<p>{isOld ? <b key="old">Hello {name}</b> : <b key="new">Hello</b>}</p>',
    '<Button>{isOld && <i />}Hello</Button>',
    '<p>{isOld && <b />}{extra}</p>',
    '<option>{name}{isOld && 1}</option>',
  ])('accepts markup that survives a page translator: %s', (jsx) => expect(faultsOf(jsx)).toEqual([]))
})

const paths = globSync('{app,desk,features,kit}/**/*.tsx')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.tsx'))

test('the page translator check covers more than 350 component files', () => expect(paths.length).toBeGreaterThan(350))

test.each(paths)('%s survives a page translator', (path) =>
  expect(findTranslationFaults(path, readFileSync(path, 'utf8'))).toEqual([]),
)
