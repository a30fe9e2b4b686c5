#!/usr/bin/env bash
# theorems.sh list   the theorems of the development: file, name, lines of the statement, lines of the proof
# theorems.sh check  no unproved statement in the sources, every theorem rests on the allowed axioms only, and
#                    THEOREMS.md lists the theorems that there are
# theorems.sh page   THEOREMS.md, written again
# The last two need the compiled files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The axioms of the reals of Coq's standard library.
ALLOWED=(
  ClassicalDedekindReals.sig_forall_dec
  ClassicalDedekindReals.sig_not_dec
  FunctionalExtensionality.functional_extensionality_dep
  Classical_Prop.classic
)

list() {
  awk '
    FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.v$/, "", file); name = "" }
    /^Theorem / { name = $2; sub(/:.*/, "", name); start = FNR; proof = 0 }
    name != "" && !proof && /^Proof\./ { proof = FNR }
    name != "" && /Qed\.$/ { print file, name, proof - start, FNR - proof + 1; name = "" }
  ' theories/*.v
}

files() { list | awk '{ print $1 }' | sort -u; }

# The axioms that the theorems of a file rest on, one a line. They are asked for as one tuple, which rests on what its
# members rest on: Coq walks through the whole library for each question.
axioms() {
  local folder file=$1
  folder=$(mktemp -d)
  {
    echo "From GrpoSymbolic Require $file."
    echo "Definition all_of_them := (I$(list | awk -v f="$file" '$1 == f { printf ", @%s.%s", f, $2 }'))."
    echo "Print Assumptions all_of_them."
  } >"$folder/ask.v"
  coqc -w none -Q theories GrpoSymbolic "$folder/ask.v" |
    awk '/^[A-Za-z_]/ && !/^Axioms:/ && !/^Closed under/ { print $1 }'
  rm -r "$folder"
}

# The same, where all of them are allowed; otherwise it fails and names the others.
allowed_axioms() {
  local file=$1 found axiom bad=
  found=$(axioms "$file")
  for axiom in $found; do
    case " ${ALLOWED[*]} " in
      *" $axiom "*) echo "$axiom" ;;
      *) echo "coq: a theorem of $file.v rests on $axiom" >&2; bad=1 ;;
    esac
  done
  [ -z "$bad" ]
}

check() {
  if grep -nE '^[[:space:]]*(Axioms?|Parameters?|Conjecture|Admitted)\b|\badmit\.' theories/*.v >&2; then
    echo "coq: an unproved statement" >&2
    exit 1
  fi
  local file
  for file in $(files); do allowed_axioms "$file" >/dev/null; done
  if ! diff <(list | awk '{ print $2 }' | sort) <(awk -F'`' '/^\| `/ { print $2 }' THEOREMS.md | sort) >&2; then
    echo "coq: THEOREMS.md does not list the theorems that there are; write it again with: make -C coq page" >&2
    exit 1
  fi
  echo "$(list | wc -l) theorems rest on the axioms of the classical reals only"
}

page() {
  local folder file found i
  folder=$(mktemp -d)
  for file in $(files); do allowed_axioms "$file" >"$folder/$file"; done
  {
    echo "# The theorems"
    echo
    echo "Written by \`make -C coq page\` from the sources and from Coq's answers to \`Print Assumptions\`."
    echo "$(list | wc -l) theorems in $(files | wc -l) files. Each name is the id of a claim of the ledger, with \`_\` for \`-\`."
    echo "The ending \`_needed\` marks a proof that a hypothesis cannot be dropped, \`_exists\` that what the theorem describes"
    echo "exists, \`_stationary\` that the same holds of policies."
    echo
    echo "They rest on the axioms of the reals of Coq's standard library, and on no other:"
    echo
    for i in "${!ALLOWED[@]}"; do echo "$((i + 1)). \`${ALLOWED[$i]}\`"; done
    for file in $(files); do
      echo
      echo "## $file.v"
      echo
      found=
      for i in "${!ALLOWED[@]}"; do
        if grep -qx "${ALLOWED[$i]}" "$folder/$file"; then found="${found:+$found, }$((i + 1))"; fi
      done
      awk -v f="theories/$file.v" -v found="${found:-none}" '
        $1 == f { s = $2 }
        END { printf "Axioms: %s. Compiled in %s seconds of processor time.\n\n", found, (s == "" ? "?" : sprintf("%.0f", s)) }
      ' build.times
      echo "| theorem | lines of the statement | lines of the proof |"
      echo "|---|---|---|"
      list | awk -v f="$file" '$1 == f { printf "| `%s` | %d | %d |\n", $2, $3, $4 }'
    done
  } >THEOREMS.md
  rm -r "$folder"
  echo "wrote coq/THEOREMS.md"
}

case "${1-}" in
  list | check | page) "$1" ;;
  *)
    echo "usage: theorems.sh list | check | page" >&2
    exit 2
    ;;
esac
