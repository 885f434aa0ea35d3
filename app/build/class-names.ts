import { basename } from 'node:path'

/**
 * The name that a class of a CSS module has in the page: `Header_menu`. It can be read, and compresses better than a hash
 * in every name; in return no two modules may share a file name.
 */
export const classNameOf = (name: string, file: string): string => `${basename(file).split('.', 1)[0]}_${name}`
