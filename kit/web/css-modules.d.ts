/** The classes of a style sheet: `import * as s from './Card.module.css'` lets a build inline each name where it is used. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export = classes
}

declare module '*.css'
