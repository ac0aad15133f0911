# SPDX-License-Identifier: LGPL-2.1-or-later
# make install with --program-transform-name: the manual and the completions have the name of the program. The links
# between the installed documents work.
. "$SRC/tests/lib.sh"

if [ ! -e "$BUILD/Makefile" ] || ! command -v make >/dev/null; then
	skip "install" "no make or no build tree"
	exit
fi
unset MAKEFLAGS MAKELEVEL MFLAGS
name=sys-tracer
root=$PWD/root
make_as() { make -s -C "$BUILD" "$1" DESTDIR="$root" prefix=/usr transform="s/^/sys-/" >"$1.out" 2>&1; }

rm -rf "$root"
make_as install || { not_ok "install"; sed 's/^/# /' install.out; exit; }
is "files with the name" "$(cd "$root" && find . -name "*tracer*" -type f ! -path '*/doc/*' ! -path './usr/share/tracer/*' | sort)" \
	"./usr/bin/$name
./usr/share/bash-completion/completions/$name
./usr/share/fish/vendor_completions.d/$name.fish
./usr/share/man/man1/$name.1
./usr/share/zsh/site-functions/_$name"
like "the program" "$("$root/usr/bin/$name" -e trace=none no/such/file 2>&1)" "$name: "
is "bash completion" "$(bash -c '. "$1" && complete -p "$2"' bash "$root/usr/share/bash-completion/completions/$name" $name)" \
	"complete -F _sys_tracer $name"
is "zsh completion" "$(head -1 "$root/usr/share/zsh/site-functions/_$name")" "#compdef $name"
like "fish completion" "$(<"$root/usr/share/fish/vendor_completions.d/$name.fish")" "complete -c $name"$'\n'
manual=$(<"$root/usr/share/man/man1/$name.1")
like "manual: title and name" "$manual" $'\n'"\\.Dt SYS-TRACER 1.*"$'\n'"\\.Nm $name"$'\n'
like "manual: examples" "$manual" $'\n'"\\.Dl $name -f -o log make"

docs=$root/usr/share/doc/tracer
broken=
while IFS=: read -r file link; do
	[ -e "$docs/$(dirname "$file")/${link%%#*}" ] || broken+="$file: $link"$'\n'
done < <(cd "$docs" && grep -roE '\]\([^)#:]+(#[^)]*)?\)' --include='*.md' . | sed 's/](\(.*\))$/\1/')
is "links between the installed documents" "$broken" ""
is "examples" "$(cd "$docs/examples" && ls app/*.cc read_trace.py policies/no-network)" \
	"app/app.cc
app/plugin.cc
policies/no-network
read_trace.py"

make_as uninstall
is "uninstall" "$(find "$root" -type f)" ""
